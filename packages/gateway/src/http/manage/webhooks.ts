import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  keysIn,
  testDelivery,
  webhookSettings,
} from '@tollgate/operations'
import { ManageError } from './manage-error.ts'
import { ById, Id } from './schema-id.ts'
import { existingWebhook, unknownWebhook, webhookView } from './webhook-view.ts'

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

/** Endpoints that are told of events: register, change, delete. */
export function webhookRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  const { directory, clock, webhooks, outgoing } = gateway

  function refuseUrl(url: string): void {
    const objection = outgoing.objection(url)
    if (objection !== undefined) throw new ManageError(400, `body/url cannot be sent to: ${objection}`)
  }

  async function create({ entityId, url, ...settings }: Static<typeof NewWebhook>) {
    const entity = directory.entity(entityId)
    if (!entity) throw new ManageError(404, `There is no entity ${entityId}.`)
    refuseUrl(url)
    if (webhooks.all().filter(({ entity_id }) => entity_id === entityId).length >= limits.webhooksMax) {
      throw new ManageError(409, `The entity has ${limits.webhooksMax} webhooks: delete one that is not used.`)
    }
    const about = { entity_id: entityId, merchant: entity.merchant, url }
    const { webhook, shown } = await createWebhook(gateway, about, settings)
    return { ...webhookView(gateway, webhook), ...shown }
  }

  /** An active webhook moves once a test delivery to its new address has passed, so that no event is lost. */
  async function patch(id: string, { url, state, ...settings }: Static<typeof Change>) {
    const webhook = existingWebhook(gateway, id)
    if (url !== undefined) refuseUrl(url)
    const moved = { id, url: url ?? webhook.url, settings: { ...webhook.settings, ...settings } }
    if (webhook.state === 'active' && moved.url !== webhook.url && state === undefined) {
      const [key] = keysIn('current', webhooks.keysOf(id), clock.now())
      const tried = key && (await testDelivery(gateway, moved, key))
      if (tried?.verdict !== 'delivered') {
        throw new ManageError(409, `Nothing was changed, for the new address takes no delivery: ${tried?.error}.`)
      }
    }
    const outcome = await changeWebhook(gateway, webhook, { url: moved.url, settings, state })
    if (outcome === 'conflict') throw new ManageError(409, 'The webhook was changed meanwhile: look at it again.')
    return webhookView(gateway, existingWebhook(gateway, id))
  }

  async function remove(id: string): Promise<void> {
    if ((await deleteWebhook(gateway, id)) === 'unknown') throw unknownWebhook(id)
  }

  return async (server) => {
    server.get('/webhooks', { schema: { querystring: ForEntity } }, ({ query }) => {
      const { entityId } = query
      const found = webhooks.all().filter(({ entity_id }) => entityId === undefined || entity_id === entityId)
      const shown = found.slice(0, limits.listMax).map((webhook) => webhookView(gateway, webhook))
      return { webhooks: shown, total: found.length }
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
  }
}
