import type { WebhookKeyRow } from '@tollgate/storage'
import type { Vault } from '@tollgate/vault'
import type { OutgoingRequest } from '../ports/outgoing.ts'
import { encrypt } from './encrypt.ts'
import { keysIn, openWebhookKey } from './webhook-keys.ts'
import { signed } from './sign.ts'
import type { Webhook } from './webhook.ts'

/** What is told, and by which keys. */
interface Told {
  /** The event's id. */
  readonly id: string
  /** The envelope. */
  readonly text: string
  readonly atMs: number
  /** By the clock of the machine, which a receiver compares with its own; a test clock is months ahead of it. */
  readonly signedAtMs: number
  /** Encrypts, and signs first. */
  readonly key: WebhookKeyRow
  /** All of the webhook's; those that end soon sign too. */
  readonly keys: readonly WebhookKeyRow[]
}

/** One request to a webhook: an encrypted body, and signatures over it as it is sent. */
export function notification(
  vault: Vault,
  { url, settings }: Pick<Webhook, 'url' | 'settings'>,
  { id, text, atMs, signedAtMs, key, keys }: Told,
): OutgoingRequest {
  const others = keysIn('ending', keys, atMs).filter((row) => row.id !== key.id)
  const first = openWebhookKey(vault, key)
  const { body, headers } = encrypt(first, text, settings.wrapper)
  const signers = [first, ...others.map((row) => openWebhookKey(vault, row))]
  return { method: 'POST', url, headers: { ...headers, ...signed(signers, id, signedAtMs, body) }, body }
}
