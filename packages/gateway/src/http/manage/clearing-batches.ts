import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { clearingBatchesReport, clearingBatchReport } from '@tollgate/operations'
import { Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { ManageError } from './manage-error.ts'
import { Day, dayOfQuery, Days, daysOfQuery } from './report-days.ts'
import { strictObject } from './schemas.ts'
import { sendReport } from './send-report.ts'

const Acquirer = Type.String({ maxLength: 64 })
const State = Type.Enum(['open', 'agreed', 'differs'])
const Filter = strictObject({ ...Days, acquirer: Type.Optional(Acquirer), state: Type.Optional(State) })

/** Shows the clearing batches of acquirers, with the totals that the acquirers have answered. */
export function clearingBatchRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  return async (server) => {
    server.get('/clearing-batches', { schema: { querystring: Filter } }, async (request, reply) => {
      const { acquirer, state } = request.query
      const report = clearingBatchesReport(gateway, { ...daysOfQuery(request.query), acquirer, state })
      return sendReport(gateway, request, reply, report)
    })

    server.get(
      '/clearing-batches/:acquirer/:day',
      { schema: { params: Type.Object({ acquirer: Acquirer, day: Day }) } },
      async (request, reply) => {
        const { acquirer, day } = request.params
        dayOfQuery(day, 'day')
        const batch = await gateway.storage.clearingBatch(`${acquirer}/${day}`)
        if (!batch) throw new ManageError(404, `There is no clearing batch ${acquirer}/${day}.`)
        return sendReport(gateway, request, reply, clearingBatchReport(batch))
      },
    )
  }
}
