import { closedBreaker } from '@tollgate/domain'
import type { WebhookKeyRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import { jobDeadLettered } from '../job-transitions.ts'
import { limits } from '../limits.ts'
import { DELIVERY } from '../webhooks/new-delivery.ts'
import type { WebhookChange, Webhooks } from '../webhooks/webhook-cache.ts'
import { keysIn, newWebhookKey } from '../webhooks/webhook-keys.ts'
import { defaultWebhookSettings, type Webhook, type WebhookSettings, type WebhookState } from '../webhooks/webhook.ts'
import type { DeliveryContext } from '../webhooks/delivery-context.ts'

/** A new key, which is shown once: hex digits for decryption, and the signing secret (Standard Webhooks). */
interface ShownKey {
  readonly key: string
  readonly signingSecret: string
}

/**
 * unknown: the webhook does not exist. conflict: its state does not allow the change. In both cases nothing was
 * written.
 */
export type WebhookOutcome = 'changed' | 'unknown' | 'conflict'

/** Creates a webhook, which is inactive until a test delivery succeeds. */
export async function createWebhook(
  context: DeliveryContext,
  { entity_id, merchant, url }: Pick<Webhook, 'entity_id' | 'merchant' | 'url'>,
  settings: Partial<WebhookSettings>,
): Promise<{ readonly webhook: Webhook; readonly shown: ShownKey }> {
  const { webhooks, ids, clock } = context
  const nowMs = clock.now()
  const webhook: Webhook = {
    id: ids.sequenced(),
    merchant,
    entity_id,
    url,
    settings: { ...defaultWebhookSettings, ...settings },
    state: 'inactive',
    created_at_ms: nowMs,
    changed_at_ms: nowMs,
    deleted_at_ms: null,
  }
  const { shown, row } = await generateKey(context, webhook)
  await webhooks.change(webhook.id, () => ({ webhook, keys: [row] }))
  return { webhook, shown }
}

/** A change of a webhook by an operator; undefined: the state stays. */
interface Changes {
  readonly url: string
  readonly settings: Partial<WebhookSettings>
  readonly state: WebhookState | undefined
}

/** @param from the webhook as it was read; a conflict if its URL or state has changed since */
export function changeWebhook(
  { webhooks, clock }: DeliveryContext,
  from: Webhook,
  { url, settings, state }: Changes,
): Promise<WebhookOutcome> {
  return changeStored(webhooks, from.id, (webhook) => {
    if (webhook.url !== from.url || webhook.state !== from.state) return undefined
    const changes = { url, settings: { ...webhook.settings, ...settings }, state: state ?? webhook.state }
    return { webhook: { ...webhook, ...changes, changed_at_ms: clock.now() } }
  })
}

/** Deletes a webhook with its keys, and dead-letters its pending deliveries. */
export async function deleteWebhook(context: DeliveryContext, id: string): Promise<WebhookOutcome> {
  const { webhooks, storage, clock } = context
  const outcome = await changeStored(webhooks, id, (webhook) => {
    const nowMs = clock.now()
    return {
      webhook: { ...webhook, state: 'disabled', changed_at_ms: nowMs, deleted_at_ms: nowMs },
      removed: webhooks.keysOf(id),
    }
  })
  if (outcome !== 'changed') return outcome
  for (let commits = 0; commits < limits.webhookDeletionCommitsMax; commits += 1) {
    const pending = await storage.dueJobs(DELIVERY, id, Number.MAX_SAFE_INTEGER, limits.deadLetteredDeliveriesPerCommit)
    if (pending.length === 0) break
    const nowMs = clock.now()
    // If a delivery was attempted concurrently, the commit conflicts, and the deliveries are read again.
    await commitChange(context, {
      compareAndSets: pending.map((job) => jobDeadLettered(job, nowMs, 'the webhook was deleted')),
    })
  }
  return outcome
}

/** Adds a key that is used after its test delivery, and removes an untested one; a conflict with too many keys. */
export async function addWebhookKey(
  context: DeliveryContext,
  { id, merchant }: Webhook,
): Promise<{ readonly outcome: WebhookOutcome; readonly shown: ShownKey }> {
  const { webhooks, clock } = context
  const { shown, row } = await generateKey(context, { id, merchant })
  const outcome = await changeStored(webhooks, id, () => {
    const keys = webhooks.keysOf(id)
    const [pending, ended] = [keysIn('pending', keys, clock.now()), keysIn('ended', keys, clock.now())]
    if (keys.length - pending.length - ended.length >= limits.webhookKeysMax - 1) return undefined
    return { keys: [row], removed: [...pending, ...ended] }
  })
  return { outcome, shown }
}

/**
 * Activates a webhook with the key of a successful test delivery. The previous key also signs during the overlap.
 *
 * @param tested the webhook of the test delivery; a conflict if its URL has changed since or the key was removed
 */
export async function activateWebhook(
  { webhooks, clock }: DeliveryContext,
  tested: Webhook,
  { id: keyId }: WebhookKeyRow,
  overlapSeconds: number,
): Promise<WebhookOutcome> {
  const { id } = tested
  const outcome = await changeStored(webhooks, id, (webhook) => {
    const nowMs = clock.now()
    const all = webhooks.keysOf(id)
    const key = all.find((row) => row.id === keyId)
    if (!key || webhook.url !== tested.url) return undefined
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
  if (outcome === 'changed') webhooks.setBreaker(id, closedBreaker)
  return outcome
}

/** @param decide returns undefined for a conflict */
async function changeStored(
  webhooks: Webhooks,
  id: string,
  decide: (webhook: Webhook) => WebhookChange | undefined,
): Promise<WebhookOutcome> {
  let outcome: WebhookOutcome = 'unknown'
  await webhooks.change(id, (webhook) => {
    const change = webhook && decide(webhook)
    outcome = change ? 'changed' : webhook ? 'conflict' : 'unknown'
    return change ?? {}
  })
  return outcome
}

async function generateKey({ vault, ids, clock }: DeliveryContext, { id, merchant }: Pick<Webhook, 'id' | 'merchant'>) {
  const { shown: key, row } = await newWebhookKey(vault, { id: ids.sequenced(), merchant, webhook_id: id }, clock.now())
  return { row, shown: { key, signingSecret: `whsec_${Buffer.from(key, 'hex').toString('base64')}` } }
}
