import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { totalsReport } from '@tollgate/operations'
import { Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { existingEntity } from './entities.ts'
import { Days, daysOfQuery } from './report-days.ts'
import { Id, strictObject } from './schemas.ts'
import { sendReport } from './send-report.ts'

const Currency = Type.String({ pattern: '^[A-Z]{3}$' })
const Filter = strictObject({ ...Days, entityId: Type.Optional(Id), currency: Type.Optional(Currency) })

/** Shows the totals of days by channel, type, brand and currency. */
export function totalsRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  return async (server) => {
    server.get('/totals', { schema: { querystring: Filter } }, async (request, reply) => {
      const { entityId, currency } = request.query
      const range = daysOfQuery(request.query)
      if (entityId !== undefined) existingEntity(gateway, entityId)
      return sendReport(gateway, request, reply, await totalsReport(gateway, { ...range, entityId, currency }))
    })
  }
}
