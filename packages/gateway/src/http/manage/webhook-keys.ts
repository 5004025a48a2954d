import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { closedBreaker } from '@tollgate/domain'
import type { WebhookKeyRow } from '@tollgate/storage'
import { Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../gateway-limits.ts'
import type { Attempted } from '../../webhooks/attempt.ts'
import { keysIn, newWebhookKey } from '../../webhooks/keys.ts'
import { keyToTest, testDelivery } from '../../webhooks/test-delivery.ts'
import type { Webhook } from '../../webhooks/webhook.ts'
import { ManageError } from './error.ts'
import { bodyIsOptional } from './optional-body.ts'
import { ById } from './schema-id.ts'
import { existingWebhook, webhookView } from './webhook-view.ts'

const Test = Type.Object(
  { overlapSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.overlapSecondsMax })) },
  { additionalProperties: false },
)

/** Draws a key for a webhook, which is shown once: as the digits that decrypt, and as Standard Webhooks has it. */
export async function drawKey({ vault, ids, clock }: Gateway, { id, merchant }: Pick<Webhook, 'id' | 'merchant'>) {
  const { shown: key, row } = await newWebhookKey(vault, { id: ids.sequenced(), merchant, webhook_id: id }, clock.now())
  return { row, shown: { key, signingSecret: `whsec_${Buffer.from(key, 'hex').toString('base64')}` } }
}

/** A webhook's keys: a new one, and the test delivery that it waits for. */
export function webhookKeyRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  const { clock, webhooks } = gateway

  /** A new key waits for a test delivery; one that has waited so far is replaced by it. */
  async function addKey(id: string) {
    const { shown, row } = await drawKey(gateway, existingWebhook(gateway, id))
    await webhooks.change(id, () => {
      existingWebhook(gateway, id)
      const keys = webhooks.keysOf(id)
      const [pending, ended] = [keysIn('pending', keys, clock.now()), keysIn('ended', keys, clock.now())]
      if (keys.length - pending.length - ended.length >= limits.webhookKeysMax - 1) {
        throw new ManageError(409, 'Several older keys still sign: come again when they have ended.')
      }
      return { keys: [row], removed: [...pending, ...ended] }
    })
    return { ...webhookView(gateway, existingWebhook(gateway, id)), ...shown }
  }

  async function test(id: string, overlapSeconds: number) {
    const webhook = existingWebhook(gateway, id)
    const key = keyToTest(webhooks.keysOf(id), clock.now())
    if (!key) throw new Error('a webhook has a key')
    const tried = await testDelivery(gateway, webhook, key)
    if (tried.verdict === 'delivered') await activate(webhook, key, overlapSeconds)
    return { ...testView(tried), webhook: webhookView(gateway, existingWebhook(gateway, id)) }
  }

  /** From now on it is told of events, with the key that was tested; the one before that signs for a while. */
  async function activate({ id, url }: Webhook, { id: keyId }: WebhookKeyRow, overlapSeconds: number): Promise<void> {
    await webhooks.change(id, () => {
      const webhook = existingWebhook(gateway, id)
      const nowMs = clock.now()
      const all = webhooks.keysOf(id)
      const key = all.find((row) => row.id === keyId)
      if (!key || webhook.url !== url) throw new ManageError(409, 'The webhook was changed meanwhile: test it again.')
      const isNew = key.starts_at_ms === null
      const before = isNew ? keysIn('current', all, nowMs) : []
      const ending = before.map((row) => ({ ...row, ends_at_ms: nowMs + overlapSeconds * 1000 }))
      // Without an overlap the old keys are removed, so that their end does not depend on a clock.
      const old = overlapSeconds > 0 ? { keys: ending, removed: [] } : { keys: [], removed: before }
      return {
        webhook: { ...webhook, state: 'active', changed_at_ms: nowMs },
        keys: isNew ? [...old.keys, { ...key, starts_at_ms: nowMs }] : [],
        removed: old.removed,
      }
    })
    webhooks.setBreaker(id, closedBreaker)
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
