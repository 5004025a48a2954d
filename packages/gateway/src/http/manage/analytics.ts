import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { analytics, analyticsGroupings, isGrouping, narrow } from '@tollgate/operations'
import { Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { existingEntity } from './entities.ts'
import { Days, daysOfQuery } from './report-days.ts'
import { Id, strictObject } from './schemas.ts'

const Filter = strictObject({ ...Days, entityId: Type.Optional(Id), by: Type.Enum([...analyticsGroupings]) })

/** Shows volumes, approval rates, refunds and chargebacks by a trait of transactions. */
export function analyticsRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  return async (server) => {
    server.get('/analytics', { schema: { querystring: Filter } }, ({ query }) => {
      const { entityId, by } = query
      const range = daysOfQuery(query)
      if (entityId !== undefined) existingEntity(gateway, entityId)
      return analytics(gateway, { ...range, entityId, by: narrow(isGrouping, by) })
    })
  }
}
