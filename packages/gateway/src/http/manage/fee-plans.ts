import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  createKeyedMutex,
  feePlan,
  FeePlanError,
  feePlansOf,
  saveFeePlan,
  type SentFeePlan,
  type StoredFeePlan,
} from '@tollgate/operations'
import { Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { existingEntity } from './entities.ts'
import { instantOf, timeOf } from './instant.ts'
import { ManageError } from './manage-error.ts'
import { ById, strictObject } from './schemas.ts'

const Start = Type.Optional(Type.String({ maxLength: 40 }))
const DatedFeePlan = strictObject({ ...feePlan.properties, startsAt: Start })
const Removal = strictObject({ startsAt: Start })

/**
 * Shows the fee plans of an entity, and sets or removes its plan from a time on. The nearest plan applies: that of the
 * merchant, or else of the nearest entity above it that has one at the time of the transaction.
 */
export function feePlanRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  const withLock = createKeyedMutex()

  const existingId = (id: string): string => {
    const { kind } = existingEntity(gateway, id)
    if (kind === 'channel') throw new ManageError(400, 'A channel has no fee plan; set that of its merchant.')
    return id
  }
  const view = async (id: string) => ({ entityId: id, feePlans: (await feePlansOf(gateway, id)).map(viewOf) })

  /** @param part the part of the request with `startsAt` */
  async function save(id: string, plan: SentFeePlan | null, startsAt: string | undefined, part: string) {
    const startsAtMs = startsAt === undefined ? undefined : instantOf(startsAt, `${part}/startsAt`)
    try {
      await saveFeePlan(gateway, id, plan, startsAtMs)
    } catch (error) {
      if (error instanceof FeePlanError) throw new ManageError(400, `${part}/${error.message}`)
      throw error
    }
    return view(id)
  }
  const change = (id: string, plan: SentFeePlan | null, startsAt: string | undefined, part: string) =>
    withLock(existingId(id), () => save(id, plan, startsAt, part))

  return async (server) => {
    server.get('/entities/:id/fee-plans', { schema: { params: ById } }, ({ params }) => view(existingId(params.id)))

    server.post(
      '/entities/:id/fee-plans',
      { schema: { params: ById, body: DatedFeePlan } },
      ({ params, body: { startsAt, fees } }, reply) => {
        reply.code(201)
        return change(params.id, { fees }, startsAt, 'body')
      },
    )

    server.delete(
      '/entities/:id/fee-plans',
      { schema: { params: ById, querystring: Removal } },
      ({ params, query: { startsAt } }) => change(params.id, null, startsAt, 'querystring'),
    )
  }
}

const viewOf = ({ startsAtMs, createdAtMs, plan }: StoredFeePlan) => ({
  startsAt: timeOf(startsAtMs),
  createdAt: timeOf(createdAtMs),
  feePlan: plan,
})
