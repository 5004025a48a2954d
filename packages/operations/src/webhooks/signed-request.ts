import { createHmac, type KeyObject } from 'node:crypto'
import type { WebhookKeyRow } from '@tollgate/storage'
import type { OutgoingRequest } from '../ports/outgoing.ts'
import type { DeliveryContext } from './delivery-context.ts'
import { encrypt } from './encrypt.ts'
import { keysIn, openWebhookKey } from './webhook-keys.ts'
import type { Webhook } from './webhook.ts'

interface Told {
  /** The event's id. */
  readonly id: string
  /** The envelope. */
  readonly text: string
  /** Encrypts, and signs first; the webhook's keys that end soon sign too. */
  readonly key: WebhookKeyRow
}

/**
 * One request to a webhook: an encrypted body, and signatures over it as it is sent. They bear the time of the machine,
 * which a receiver compares with its own: a test clock is months ahead of it.
 */
export function notification(
  { vault, clock, webhooks }: Pick<DeliveryContext, 'vault' | 'clock' | 'webhooks'>,
  webhook: Pick<Webhook, 'id' | 'url' | 'settings'>,
  { id, text, key }: Told,
): OutgoingRequest {
  const { url, settings } = webhook
  const others = keysIn('ending', webhooks.keysOf(webhook.id), clock.now()).filter((row) => row.id !== key.id)
  const first = openWebhookKey(vault, key)
  const { body, headers } = encrypt(first, text, settings.wrapper)
  const signers = [first, ...others.map((row) => openWebhookKey(vault, row))]
  return { method: 'POST', url, headers: { ...headers, ...signed(signers, id, clock.machineNow(), body) }, body }
}

/**
 * The headers of Standard Webhooks (https://www.standardwebhooks.com), by which a receiver knows who sent a body, when,
 * and whether it has had it already.
 *
 * @param keys each makes a signature: while keys are replaced, the old one does beside the new
 * @param id the event's, the same in all attempts
 */
function signed(keys: readonly KeyObject[], id: string, atMs: number, body: string): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000))
  const signatures = keys.map((key) => createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64'))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.map((signature) => `v1,${signature}`).join(' '),
  }
}
