import { createHmac, type KeyObject } from 'node:crypto'
import type { WebhookKeyRow } from '@tollgate/storage'
import type { OutgoingRequest } from '../ports/outgoing-client.ts'
import type { DeliveryContext } from './delivery-context.ts'
import { encrypt } from './encrypt.ts'
import { keysIn, openWebhookKey } from './webhook-keys.ts'
import type { Webhook } from './webhook.ts'

interface EventToSend {
  readonly id: string
  readonly envelope: string
  /** The key that encrypts the body and makes the first signature. Each key in phase `ending` makes one more. */
  readonly key: WebhookKeyRow
}

/**
 * One request to a webhook: an encrypted body, and signatures over the body as it is sent. The signatures contain the
 * machine's time, because a receiver compares it with its own clock, and a test clock may be months ahead.
 */
export function signedRequest(
  { vault, clock, webhooks }: Pick<DeliveryContext, 'vault' | 'clock' | 'webhooks'>,
  webhook: Pick<Webhook, 'id' | 'url' | 'settings'>,
  { id, envelope, key }: EventToSend,
): OutgoingRequest {
  const { url, settings } = webhook
  const endingKeys = keysIn('ending', webhooks.keysOf(webhook.id), clock.now()).filter((row) => row.id !== key.id)
  const encryptionKey = openWebhookKey(vault, key)
  const { body, headers } = encrypt(encryptionKey, envelope, settings.wrapper)
  const signers = [encryptionKey, ...endingKeys.map((row) => openWebhookKey(vault, row))]
  return {
    method: 'POST',
    url,
    headers: { ...headers, ...signatureHeaders(signers, id, clock.machineNow(), body) },
    body,
  }
}

/**
 * The headers of Standard Webhooks (https://www.standardwebhooks.com), by which a receiver verifies the sender and the
 * time of a body and detects duplicates.
 *
 * @param keys the signing keys: during a replacement, both the old key and the new one
 * @param id the id of the event, which is the same in all attempts
 */
function signatureHeaders(keys: readonly KeyObject[], id: string, atMs: number, body: string): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000))
  const signatures = keys.map((key) => createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64'))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.map((signature) => `v1,${signature}`).join(' '),
  }
}
