import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { clearingBatchesReport, clearingBatchReport, compareNow, type ComparisonResult } from '@tollgate/operations'
import { type Static, Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { ManageError } from './manage-error.ts'
import { Day, dayOfQuery, Days, daysOfQuery } from './report-days.ts'
import { strictObject } from './schemas.ts'
import { sendReport } from './send-report.ts'

const Acquirer = Type.String({ maxLength: 64 })
const State = Type.Enum(['open', 'agreed', 'differs'])
const Filter = strictObject({ ...Days, acquirer: Type.Optional(Acquirer), state: Type.Optional(State) })

const ByDay = Type.Object({ acquirer: Acquirer, day: Day })

const compareErrors: Readonly<Record<Exclude<ComparisonResult['kind'], 'compared'>, string>> = {
  stale: 'The clearing batch was modified concurrently: read it again and retry.',
  isAgreed: 'The clearing batch is agreed.',
  waitsForFile: 'The clearing file of the batch is not written yet.',
  notConnected: 'The acquirer of the clearing batch is not connected.',
}

/** Shows the clearing batches of acquirers, with the totals that these have answered, and compares one again. */
export function clearingBatchRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  async function existing({ acquirer, day }: Static<typeof ByDay>) {
    dayOfQuery(day, 'day')
    const batch = await gateway.storage.clearingBatch(`${acquirer}/${day}`)
    if (batch) return batch
    throw new ManageError(404, `There is no clearing batch ${acquirer}/${day}.`)
  }

  return async (server) => {
    server.get('/clearing-batches', { schema: { querystring: Filter } }, async (request, reply) => {
      const { acquirer, state } = request.query
      const report = clearingBatchesReport(gateway, { ...daysOfQuery(request.query), acquirer, state })
      return sendReport(gateway, request, reply, report)
    })

    server.get('/clearing-batches/:acquirer/:day', { schema: { params: ByDay } }, async (request, reply) =>
      sendReport(gateway, request, reply, clearingBatchReport(await existing(request.params))),
    )
    server.post('/clearing-batches/:acquirer/:day/compare', { schema: { params: ByDay } }, async (request, reply) => {
      const result = await compareNow(gateway, await existing(request.params))
      if (result.kind !== 'compared') throw new ManageError(409, compareErrors[result.kind])
      return sendReport(gateway, request, reply, clearingBatchReport(result.batch))
    })
  }
}
