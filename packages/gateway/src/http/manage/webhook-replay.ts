import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { replayBetween, replayEvents, timePartOf } from '@tollgate/operations'
import { limits } from '../../limits.ts'
import { ManageError } from './manage-error.ts'
import { ById, strictObject, Id } from './schemas.ts'
import { instantOf } from './instant.ts'
import { existingWebhook } from './webhooks.ts'

const Time = Type.String({ maxLength: 40 })
const Replay = strictObject({
  eventIds: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: limits.listMax, uniqueItems: true })),
  from: Type.Optional(Time),
  to: Type.Optional(Time),
  next: Type.Optional(Id),
})

/** Replays past events to a webhook, selected by their ids or by a time range. */
export function webhookReplayRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  const { storage } = gateway

  async function replay(id: string, body: Static<typeof Replay>) {
    const webhook = existingWebhook(gateway, id)
    if (webhook.state !== 'active') throw new ManageError(409, `The webhook is ${webhook.state}: test it first.`)
    const { eventIds } = body
    if (!eventIds) return replayBetween(gateway, webhook, ...rangeOf(body))
    if ((body.from ?? body.to ?? body.next) !== undefined) throw new ManageError(400, WRONG_SELECTION)
    const storedEvents = await Promise.all(eventIds.map((eventId) => storage.event(eventId)))
    const unknown = eventIds.filter((_, index) => !storedEvents[index])
    if (unknown.length > 0) throw new ManageError(404, `There is no event ${unknown.join(', ')}.`)
    const events = storedEvents.filter((event) => event !== undefined)
    return { deliveries: await replayEvents(gateway, webhook, events) }
  }

  return async (server) => {
    server.post('/webhooks/:id/replay', { schema: { params: ById, body: Replay } }, ({ params, body }) =>
      replay(params.id, body),
    )
  }
}

const WRONG_SELECTION = 'body must have either eventIds, or from and to, such as 2026-05-04T00:00:00Z'

/** The lowest and highest possible event id of a time range; with `next`, of the part that is not replayed yet. */
function rangeOf({ from, to, next }: Static<typeof Replay>): [first: string, last: string] {
  if (from === undefined || to === undefined) throw new ManageError(400, WRONG_SELECTION)
  const first = `${timePartOf(instantOf(from, 'body/from'))}${'0'.repeat(20)}`
  const last = `${timePartOf(instantOf(to, 'body/to'))}${'f'.repeat(20)}`
  if (first > last) throw new ManageError(400, 'body/to must not be before body/from')
  if (next === undefined) return [first, last]
  if (next < first || next > last) throw new ManageError(400, 'body/next must be of a replay with the same from and to')
  return [next, last]
}
