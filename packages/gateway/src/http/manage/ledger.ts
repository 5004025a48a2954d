import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { balancesReport, journalReport } from '@tollgate/operations'
import { Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { existingEntity } from './entities.ts'
import { ManageError } from './manage-error.ts'
import { Day, dayOfQuery, Days, daysOfQuery } from './report-days.ts'
import { Id, strictObject } from './schemas.ts'
import { sendReport } from './send-report.ts'

const Balances = strictObject({ at: Type.Optional(Day), entityId: Type.Optional(Id) })
const Entries = strictObject({ ...Days, entityId: Type.Optional(Id) })

/** Shows the balances of the accounts of the ledger at the end of a day, and its journal. */
export function ledgerRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  function checkEntity(id: string | undefined): void {
    if (id !== undefined && existingEntity(gateway, id).kind === 'channel')
      throw new ManageError(400, 'querystring/entityId is a channel, which has no accounts; give its merchant')
  }

  return async (server) => {
    server.get('/ledger/balances', { schema: { querystring: Balances } }, async (request, reply) => {
      const { at, entityId } = request.query
      const toDay = at === undefined ? undefined : dayOfQuery(at, 'at')
      checkEntity(entityId)
      return sendReport(gateway, request, reply, await balancesReport(gateway, { entityId, toDay }))
    })

    server.get('/ledger/entries', { schema: { querystring: Entries } }, async (request, reply) => {
      const range = daysOfQuery(request.query)
      const { entityId } = request.query
      checkEntity(entityId)
      return sendReport(gateway, request, reply, await journalReport(gateway, { ...range, entityId }))
    })
  }
}
