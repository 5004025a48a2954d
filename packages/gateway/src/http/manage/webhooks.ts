import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { InvariantError } from '@tollgate/contract'
import type { WebhookKeyRow } from '@tollgate/storage'
import { type Static, Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import {
  activateWebhook,
  addWebhookKey,
  type AttemptOutcome,
  changeWebhook,
  createWebhook,
  deleteWebhook,
  keysIn,
  keyToTest,
  phaseOf,
  sendTestDelivery,
  type Webhook,
  webhookSettings,
} from '@tollgate/operations'
import { existingEntity } from './entities.ts'
import { ManageError } from './manage-error.ts'
import { defaultToEmptyBody, ById, strictObject, ForEntity, Id, Overlap } from './schemas.ts'
import { timeOf } from './instant.ts'

const Url = Type.String({ minLength: 1, maxLength: limits.outgoing.urlCharsMax })
const { types, fieldFilter, wrapper } = webhookSettings
const options = {
  types: Type.Optional(types),
  fieldFilter: Type.Optional(fieldFilter),
  wrapper: Type.Optional(wrapper),
}
const NewWebhook = strictObject({ entityId: Id, url: Url, ...options })
const Change = strictObject({ url: Type.Optional(Url), ...options, state: Type.Optional(Type.Literal('disabled')) })

/** Registers, changes and deletes webhooks, adds keys, and sends the test delivery that activates a key. */
export function webhookRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  const { clock, webhooks, outgoing } = gateway

  function requireAllowedUrl(url: string): void {
    const refusalReason = outgoing.refusalReason(url)
    if (refusalReason !== undefined) throw new ManageError(400, `body/url is not allowed: ${refusalReason}`)
  }

  async function create({ entityId, url, ...settings }: Static<typeof NewWebhook>) {
    const { merchant } = existingEntity(gateway, entityId)
    requireAllowedUrl(url)
    if (webhooks.all().filter(({ entity_id }) => entity_id === entityId).length >= limits.webhooksMax) {
      throw new ManageError(409, `The entity has ${limits.webhooksMax} webhooks: delete one that is not used.`)
    }
    const { webhook, issuedKey } = await createWebhook(gateway, { entity_id: entityId, merchant, url }, settings)
    return { ...webhookView(gateway, webhook), ...issuedKey }
  }

  /** An active webhook gets a new URL only after a successful test delivery to this URL, so that no event is lost. */
  async function patch(id: string, { url, state, ...settings }: Static<typeof Change>) {
    const webhook = existingWebhook(gateway, id)
    if (url !== undefined) requireAllowedUrl(url)
    const changed = { id, url: url ?? webhook.url, settings: { ...webhook.settings, ...settings } }
    if (webhook.state === 'active' && changed.url !== webhook.url && state === undefined) {
      const [key] = keysIn('current', webhooks.keysOf(id), clock.now())
      const attempt = key && (await sendTestDelivery(gateway, changed, key))
      if (attempt?.verdict !== 'delivered') {
        throw new ManageError(
          409,
          `The webhook was not changed, because the test delivery to the new URL failed: ${attempt?.error}.`,
        )
      }
    }
    const outcome = await changeWebhook(gateway, webhook, { url: changed.url, settings, state })
    if (outcome === 'conflict') throw new ManageError(409, 'The webhook was modified concurrently; reload and retry.')
    return webhookView(gateway, existingWebhook(gateway, id))
  }

  async function remove(id: string): Promise<void> {
    if ((await deleteWebhook(gateway, id)) === 'unknown') throw unknownWebhook(id)
  }

  /** Adds a key, which a test delivery activates. The key replaces an earlier key that was never activated. */
  async function addKey(id: string) {
    const { outcome, issuedKey } = await addWebhookKey(gateway, existingWebhook(gateway, id))
    if (outcome === 'conflict')
      throw new ManageError(409, 'Too many older keys still sign; retry after one of them has ended.')
    return { ...webhookView(gateway, existingWebhook(gateway, id)), ...issuedKey }
  }

  async function test(id: string, overlapSeconds: number) {
    const webhook = existingWebhook(gateway, id)
    const key = keyToTest(webhooks.keysOf(id), clock.now())
    if (!key) throw new InvariantError('webhook has no key to test', id)
    const attempt = await sendTestDelivery(gateway, webhook, key)
    if (attempt.verdict === 'delivered') await activate(webhook, key, overlapSeconds)
    return { ...testView(attempt), webhook: webhookView(gateway, existingWebhook(gateway, id)) }
  }

  async function activate(webhook: Webhook, key: WebhookKeyRow, overlapSeconds: number): Promise<void> {
    const outcome = await activateWebhook(gateway, webhook, key, overlapSeconds)
    if (outcome === 'conflict') throw new ManageError(409, 'The webhook was modified concurrently; test it again.')
  }

  return async (server) => {
    server.get('/webhooks', { schema: { querystring: ForEntity } }, ({ query }) => {
      const { entityId } = query
      const matching = webhooks.all().filter(({ entity_id }) => entityId === undefined || entity_id === entityId)
      const views = matching.slice(0, limits.listMax).map((webhook) => webhookView(gateway, webhook))
      return { webhooks: views, total: matching.length }
    })
    server.get('/webhooks/:id', { schema: { params: ById } }, ({ params }) =>
      webhookView(gateway, existingWebhook(gateway, params.id)),
    )
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
    const testRoute = { schema: { params: ById, body: Overlap }, preValidation: defaultToEmptyBody }
    server.post('/webhooks/:id/test', testRoute, ({ params, body }) =>
      test(params.id, body.overlapSeconds ?? limits.overlapSeconds),
    )
    server.post('/webhooks/:id/keys', { schema: { params: ById } }, async ({ params }, reply) =>
      reply.code(201).send(await addKey(params.id)),
    )
  }
}

/** @throws ManageError if the webhook does not exist or is deleted */
export function existingWebhook({ webhooks }: Pick<Gateway, 'webhooks'>, id: string): Webhook {
  const webhook = webhooks.get(id)
  if (!webhook) throw unknownWebhook(id)
  return webhook
}

const unknownWebhook = (id: string): ManageError => new ManageError(404, `There is no webhook ${id}.`)

/** A webhook for operators, without the secrets of its keys. */
function webhookView({ webhooks, clock }: Pick<Gateway, 'webhooks' | 'clock'>, webhook: Webhook) {
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

const testView = ({ verdict, httpStatus, error, answer, durationMs }: AttemptOutcome) => ({
  delivered: verdict === 'delivered',
  httpStatus: httpStatus ?? undefined,
  error: error ?? undefined,
  answer,
  durationMs: Math.round(durationMs),
})
