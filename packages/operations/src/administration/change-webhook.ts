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
interface IssuedKey {
  readonly key: string
  readonly signingSecret: string
}

/**
 * 'unknown': the webhook does not exist. 'conflict': the stored webhook does not permit the change. In both cases
 * nothing was written.
 */
export type WebhookOutcome = 'changed' | 'unknown' | 'conflict'

/** Creates a webhook, which is inactive until a test delivery succeeds. */
export async function createWebhook(
  context: DeliveryContext,
  { entity_id, merchant, url }: Pick<Webhook, 'entity_id' | 'merchant' | 'url'>,
  settings: Partial<WebhookSettings>,
): Promise<{ readonly webhook: Webhook; readonly issuedKey: IssuedKey }> {
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
  const { issuedKey, row } = await generateKey(context, webhook)
  await webhooks.change(webhook.id, () => ({ webhook, keys: [row] }))
  return { webhook, issuedKey }
}

/** The changes of a webhook by an operator. */
interface Changes {
  readonly url: string
  readonly settings: Partial<WebhookSettings>
  /** undefined: the state does not change. */
  readonly state: WebhookState | undefined
}

/** @param from the webhook as it was read; the outcome is 'conflict' if its URL or state has changed since */
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

/**
 * Adds a key that is used after a successful test delivery, and removes untested and expired keys. The outcome is
 * 'conflict' if the webhook has too many keys.
 */
export async function addWebhookKey(
  context: DeliveryContext,
  { id, merchant }: Webhook,
): Promise<{ readonly outcome: WebhookOutcome; readonly issuedKey: IssuedKey }> {
  const { webhooks, clock } = context
  const { issuedKey, row } = await generateKey(context, { id, merchant })
  const outcome = await changeStored(webhooks, id, () => {
    const keys = webhooks.keysOf(id)
    const [pendingKeys, endedKeys] = [keysIn('pending', keys, clock.now()), keysIn('ended', keys, clock.now())]
    if (keys.length - pendingKeys.length - endedKeys.length >= limits.webhookKeysMax - 1) return undefined
    return { keys: [row], removed: [...pendingKeys, ...endedKeys] }
  })
  return { outcome, issuedKey }
}

/**
 * Activates a webhook with the key of a successful test delivery. The previous key also signs during the overlap.
 *
 * @param tested the webhook of the test delivery; the outcome is 'conflict' if its URL has changed since, or if the key
 *   was removed
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
    const keys = webhooks.keysOf(id)
    const key = keys.find((row) => row.id === keyId)
    if (!key || webhook.url !== tested.url) return undefined
    const isNew = key.starts_at_ms === null
    const previousKeys = isNew ? keysIn('current', keys, nowMs) : []
    const endingKeys = previousKeys.map((row) => ({ ...row, ends_at_ms: nowMs + overlapSeconds * 1000 }))
    // Without an overlap the previous keys are removed, so that their validity does not depend on a clock.
    const previous = overlapSeconds > 0 ? { keys: endingKeys, removed: [] } : { keys: [], removed: previousKeys }
    return {
      webhook: { ...webhook, state: 'active', changed_at_ms: nowMs },
      keys: isNew ? [...previous.keys, { ...key, starts_at_ms: nowMs }] : [],
      removed: previous.removed,
    }
  })
  if (outcome === 'changed') webhooks.setBreaker(id, closedBreaker)
  return outcome
}

/** @param decide returns the change; undefined: the outcome is 'conflict' */
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
  const { key, row } = await newWebhookKey(vault, { id: ids.sequenced(), merchant, webhook_id: id }, clock.now())
  return { row, issuedKey: { key, signingSecret: `whsec_${Buffer.from(key, 'hex').toString('base64')}` } }
}
