import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { closedBreaker } from '@tollgate/domain'
import type { WebhookKeyRow } from '@tollgate/storage'
import { type Static, Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { timePartOf } from '../../ids.ts'
import { limits } from '../../limits.ts'
import type { Attempted } from '../../webhooks/attempt.ts'
import { DELIVERY } from '../../webhooks/delivery-job.ts'
import { keysIn, newWebhookKey, phaseOf } from '../../webhooks/keys.ts'
import { replayBetween, tellAgain } from '../../webhooks/replay.ts'
import { keyToTest, testDelivery } from '../../webhooks/test-delivery.ts'
import { standardSettings, type Webhook, webhookSettings } from '../../webhooks/webhook.ts'
import { ManageError } from './error.ts'
import { bodyIsOptional } from './optional-body.ts'
import { instantOf, timeOf } from './time.ts'

const Id = Type.String({ pattern: '^[0-9a-f]{32}$' })
const ById = Type.Object({ id: Id })
const ForEntity = Type.Object({ entityId: Type.Optional(Id) }, { additionalProperties: false })
const Url = Type.String({ minLength: 1, maxLength: limits.outgoing.urlCharsMax })
const { types, fieldFilter, wrapper } = webhookSettings
const options = {
  types: Type.Optional(types),
  fieldFilter: Type.Optional(fieldFilter),
  wrapper: Type.Optional(wrapper),
}
const NewWebhook = Type.Object({ entityId: Id, url: Url, ...options }, { additionalProperties: false })
const Change = Type.Object(
  { url: Type.Optional(Url), ...options, state: Type.Optional(Type.Literal('disabled')) },
  { additionalProperties: false },
)
const Test = Type.Object(
  { overlapSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.overlapSecondsMax })) },
  { additionalProperties: false },
)
const Time = Type.String({ maxLength: 40 })
const Replay = Type.Object(
  {
    eventIds: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: limits.listMax, uniqueItems: true })),
    from: Type.Optional(Time),
    to: Type.Optional(Time),
    next: Type.Optional(Id),
  },
  { additionalProperties: false },
)

/**
 * Endpoints that are told of events: register, test, change, delete, replace keys, replay. A key is shown once, when it
 * is made.
 */
export function webhookRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  const { directory, ids, clock, storage, vault, webhooks, outgoing } = gateway

  function existing(id: string): Webhook {
    const webhook = webhooks.get(id)
    if (!webhook) throw new ManageError(404, `There is no webhook ${id}.`)
    return webhook
  }
  /** Changes what is there, and answers with what it has become. */
  async function change(id: string, changes: (webhook: Webhook) => Partial<Webhook>) {
    await webhooks.change(id, () => {
      const webhook = existing(id)
      return { webhook: { ...webhook, ...changes(webhook), changed_at_ms: clock.now() } }
    })
    return view(existing(id))
  }
  function refuseUrl(url: string): void {
    const objection = outgoing.objection(url)
    if (objection !== undefined) throw new ManageError(400, `body/url cannot be sent to: ${objection}`)
  }
  async function drawKey({ id, merchant }: Pick<Webhook, 'id' | 'merchant'>) {
    return newWebhookKey(vault, { id: ids.sequenced(), merchant, webhook_id: id }, clock.now())
  }

  async function create({ entityId, url, ...settings }: Static<typeof NewWebhook>) {
    const entity = directory.entity(entityId)
    if (!entity) throw new ManageError(404, `There is no entity ${entityId}.`)
    refuseUrl(url)
    if (webhooks.all().filter(({ entity_id }) => entity_id === entityId).length >= limits.webhooksMax) {
      throw new ManageError(409, `The entity has ${limits.webhooksMax} webhooks: delete one that is not used.`)
    }
    const nowMs = clock.now()
    const webhook: Webhook = {
      id: ids.sequenced(),
      merchant: entity.merchant,
      entity_id: entityId,
      url,
      settings: { ...standardSettings, ...settings },
      state: 'inactive',
      created_at_ms: nowMs,
      changed_at_ms: nowMs,
      deleted_at_ms: null,
    }
    const { shown, row } = await drawKey(webhook)
    await webhooks.change(webhook.id, () => ({ webhook, keys: [row] }))
    return { ...view(webhook), ...keyView(shown) }
  }

  /** An active webhook moves once a test delivery to its new address has passed, so that no event is lost. */
  async function patch(id: string, { url, state, ...settings }: Static<typeof Change>) {
    const webhook = existing(id)
    if (url !== undefined) refuseUrl(url)
    const moved = { id, url: url ?? webhook.url, settings: { ...webhook.settings, ...settings } }
    if (webhook.state === 'active' && moved.url !== webhook.url && state === undefined) {
      const [key] = keysIn('current', webhooks.keysOf(id), clock.now())
      const tried = key && (await testDelivery(gateway, moved, key))
      if (tried?.verdict !== 'delivered') {
        throw new ManageError(409, `Nothing was changed, for the new address takes no delivery: ${tried?.error}.`)
      }
    }
    return change(id, (now) => ({
      url: url ?? now.url,
      settings: { ...now.settings, ...settings },
      state: state ?? now.state,
    }))
  }

  /** A new key waits for a test delivery; one that has waited so far is replaced by it. */
  async function addKey(id: string) {
    const { shown, row } = await drawKey(existing(id))
    await webhooks.change(id, () => {
      existing(id)
      const keys = webhooks.keysOf(id)
      const [pending, ended] = [keysIn('pending', keys, clock.now()), keysIn('ended', keys, clock.now())]
      if (keys.length - pending.length - ended.length >= limits.webhookKeysMax - 1) {
        throw new ManageError(409, 'Several older keys still sign: come again when they have ended.')
      }
      return { keys: [row], removed: [...pending, ...ended] }
    })
    return { ...view(existing(id)), ...keyView(shown) }
  }

  async function test(id: string, overlapSeconds: number) {
    const webhook = existing(id)
    const key = keyToTest(webhooks.keysOf(id), clock.now())
    if (!key) throw new Error('a webhook has a key')
    const tried = await testDelivery(gateway, webhook, key)
    if (tried.verdict === 'delivered') await activate(webhook, key, overlapSeconds)
    return { ...testView(tried), webhook: view(existing(id)) }
  }

  /** From now on it is told of events, with the key that was tested; the one before that signs for a while. */
  async function activate({ id, url }: Webhook, { id: keyId }: WebhookKeyRow, overlapSeconds: number): Promise<void> {
    await webhooks.change(id, () => {
      const webhook = existing(id)
      const nowMs = clock.now()
      const all = webhooks.keysOf(id)
      const key = all.find((row) => row.id === keyId)
      if (!key || webhook.url !== url) throw new ManageError(409, 'The webhook was changed meanwhile: test it again.')
      const isNew = key.starts_at_ms === null
      const before = isNew ? keysIn('current', all, nowMs) : []
      const ending = before.map((row) => ({ ...row, ends_at_ms: nowMs + overlapSeconds * 1000 }))
      return {
        webhook: { ...webhook, state: 'active', changed_at_ms: nowMs },
        keys: isNew ? [...ending, { ...key, starts_at_ms: nowMs }] : [],
      }
    })
    webhooks.setBreaker(id, closedBreaker)
  }

  /** What waits for it is given up, in sight. */
  async function remove(id: string) {
    await webhooks.change(id, () => {
      const webhook = existing(id)
      const nowMs = clock.now()
      return {
        webhook: { ...webhook, state: 'disabled', changed_at_ms: nowMs, deleted_at_ms: nowMs },
        removed: webhooks.keysOf(id),
      }
    })
    for (;;) {
      const waiting = await storage.dueJobs(DELIVERY, id, Number.MAX_SAFE_INTEGER, limits.jobsPage)
      if (waiting.length === 0) return
      const given = { parked_at_ms: clock.now(), last_error: 'the webhook was deleted' }
      const swaps = waiting.map((from) => ({ table: 'job' as const, from, to: { ...from, ...given } }))
      // Where one of them has just been tried, they are read again.
      await storage.commit({ id: ids.ordered(), guards: [], swaps, rows: {} })
    }
  }

  async function replay(id: string, body: Static<typeof Replay>) {
    const webhook = existing(id)
    if (webhook.state !== 'active') throw new ManageError(409, `The webhook is ${webhook.state}: test it first.`)
    const { eventIds } = body
    if (!eventIds) return replayBetween(gateway, webhook, ...rangeOf(body))
    if (body.from ?? body.to ?? body.next) throw new ManageError(400, REPLAY)
    const found = await Promise.all(eventIds.map((eventId) => storage.event(eventId)))
    const unknown = eventIds.filter((_, index) => !found[index])
    if (unknown.length > 0) throw new ManageError(404, `There is no event ${unknown.join(', ')}.`)
    const events = found.filter((event) => event !== undefined)
    return { deliveries: await tellAgain(gateway, webhook, events) }
  }

  function view(webhook: Webhook) {
    const keys = webhooks.keysOf(webhook.id)
    return {
      id: webhook.id,
      entityId: webhook.entity_id,
      url: webhook.url,
      ...webhook.settings,
      state: webhook.state,
      keys: keys.map((row) => ({
        id: row.id,
        state: phaseOf(row, keys, clock.now()),
        createdAt: timeOf(row.created_at_ms),
        startsAt: timeOf(row.starts_at_ms),
        endsAt: timeOf(row.ends_at_ms),
      })),
      createdAt: timeOf(webhook.created_at_ms),
      changedAt: timeOf(webhook.changed_at_ms),
    }
  }

  return async (server) => {
    server.get('/webhooks', { schema: { querystring: ForEntity } }, ({ query }) => {
      const { entityId } = query
      const found = webhooks.all().filter(({ entity_id }) => entityId === undefined || entity_id === entityId)
      return { webhooks: found.slice(0, limits.listMax).map(view), total: found.length }
    })
    server.get('/webhooks/:id', { schema: { params: ById } }, ({ params }) => view(existing(params.id)))
    server.post('/webhooks', { schema: { body: NewWebhook } }, async ({ body }, reply) =>
      reply.code(201).send(await create(body)),
    )
    server.patch('/webhooks/:id', { schema: { params: ById, body: Change } }, ({ params, body }) =>
      patch(params.id, body),
    )
    server.delete('/webhooks/:id', { schema: { params: ById } }, async ({ params }) => {
      await remove(params.id)
      return { id: params.id, state: 'deleted' }
    })
    const testing = { schema: { params: ById, body: Test }, preValidation: bodyIsOptional }
    server.post('/webhooks/:id/test', testing, ({ params, body }) =>
      test(params.id, body.overlapSeconds ?? limits.overlapSeconds),
    )
    server.post('/webhooks/:id/keys', { schema: { params: ById } }, async ({ params }, reply) =>
      reply.code(201).send(await addKey(params.id)),
    )
    server.post('/webhooks/:id/replay', { schema: { params: ById, body: Replay } }, ({ params, body }) =>
      replay(params.id, body),
    )
  }
}

/** A key, once: as the digits that decrypt, and as libraries of Standard Webhooks take it. */
const keyView = (shown: string) => ({
  key: shown,
  signingSecret: `whsec_${Buffer.from(shown, 'hex').toString('base64')}`,
})

const testView = ({ verdict, httpStatus, error, answer, durationMs }: Attempted) => ({
  delivered: verdict === 'delivered',
  httpStatus: httpStatus ?? undefined,
  error: error ?? undefined,
  answer,
  durationMs: Math.round(durationMs),
})

const REPLAY = 'body must have either eventIds, or from and to, such as 2026-05-04T00:00:00Z'

/** The ids of the first and the last event of a time, or of what an earlier replay of it has left. */
function rangeOf({ from, to, next }: Static<typeof Replay>): [first: string, last: string] {
  if (from === undefined || to === undefined) throw new ManageError(400, REPLAY)
  const first = `${timePartOf(instantOf(from, 'body/from'))}${'0'.repeat(20)}`
  const last = `${timePartOf(instantOf(to, 'body/to'))}${'f'.repeat(20)}`
  if (first > last) throw new ManageError(400, 'body/to must not be before body/from')
  if (next === undefined) return [first, last]
  if (next < first || next > last) throw new ManageError(400, 'body/next must be of a replay with the same from and to')
  return [next, last]
}
