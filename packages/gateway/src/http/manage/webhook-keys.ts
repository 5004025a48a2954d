import { InvariantError } from '@tollgate/contract'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { WebhookKeyRow } from '@tollgate/storage'
import { Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import {
  activateWebhook,
  addWebhookKey,
  type Attempted,
  keyToTest,
  testDelivery,
  type Webhook,
} from '@tollgate/operations'
import { ManageError } from './manage-error.ts'
import { bodyIsOptional } from './optional-body.ts'
import { ById } from './schema-id.ts'
import { existingWebhook, webhookView } from './webhook-view.ts'

const Test = Type.Object(
  { overlapSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.overlapSecondsMax })) },
  { additionalProperties: false },
)

/** A webhook's keys: a new one, and the test delivery that it waits for. */
export function webhookKeyRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  const { clock, webhooks } = gateway

  /** A new key waits for a test delivery; one that has waited so far is replaced by it. */
  async function addKey(id: string) {
    const { outcome, shown } = await addWebhookKey(gateway, existingWebhook(gateway, id))
    if (outcome === 'conflict')
      throw new ManageError(409, 'Several older keys still sign: come again when they have ended.')
    return { ...webhookView(gateway, existingWebhook(gateway, id)), ...shown }
  }

  async function test(id: string, overlapSeconds: number) {
    const webhook = existingWebhook(gateway, id)
    const key = keyToTest(webhooks.keysOf(id), clock.now())
    if (!key) throw new InvariantError('webhook has no key to test', id)
    const tried = await testDelivery(gateway, webhook, key)
    if (tried.verdict === 'delivered') await activate(webhook, key, overlapSeconds)
    return { ...testView(tried), webhook: webhookView(gateway, existingWebhook(gateway, id)) }
  }

  async function activate(webhook: Webhook, key: WebhookKeyRow, overlapSeconds: number): Promise<void> {
    const outcome = await activateWebhook(gateway, webhook, key, overlapSeconds)
    if (outcome === 'conflict') throw new ManageError(409, 'The webhook was changed meanwhile: test it again.')
  }

  return async (server) => {
    const testing = { schema: { params: ById, body: Test }, preValidation: bodyIsOptional }
    server.post('/webhooks/:id/test', testing, ({ params, body }) =>
      test(params.id, body.overlapSeconds ?? limits.overlapSeconds),
    )
    server.post('/webhooks/:id/keys', { schema: { params: ById } }, async ({ params }, reply) =>
      reply.code(201).send(await addKey(params.id)),
    )
  }
}

const testView = ({ verdict, httpStatus, error, answer, durationMs }: Attempted) => ({
  delivered: verdict === 'delivered',
  httpStatus: httpStatus ?? undefined,
  error: error ?? undefined,
  answer,
  durationMs: Math.round(durationMs),
})
