import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { Secret } from '@tollgate/contract'
import type { WebhookKeyRow } from '@tollgate/storage'
import type { Vault } from '@tollgate/vault'

/**
 * A new key, 64 hex digits that are returned once, and its stored form.
 *
 * @param about its own id, and that and the merchant of the webhook that it is for
 */
export async function newWebhookKey(
  vault: Vault,
  about: Pick<WebhookKeyRow, 'id' | 'webhook_id' | 'merchant'>,
  atMs: number,
) {
  const shown = randomBytes(32).toString('hex')
  // Sealed as digits: the vault takes no zero bytes, which a random key may contain.
  const digits = new Secret(Buffer.from(shown, 'latin1'))
  const { sealed, wrappedKey, keyId } = await vault.seal(digits, ownerOf(about)).finally(() => digits.wipe())
  const row: WebhookKeyRow = {
    id: about.id,
    merchant: about.merchant,
    webhook_id: about.webhook_id,
    sealed,
    wrapped_key: wrappedKey,
    key_id: keyId,
    created_at_ms: atMs,
    starts_at_ms: null,
    ends_at_ms: null,
  }
  return { shown, row }
}

/** Decrypted keys, as long as their rows are in memory: decryption costs more than a signature. */
const opened = new WeakMap<WebhookKeyRow, KeyObject>()

/** The key itself, 32 bytes, in memory outside of JavaScript's heap, wiped when no row refers to it. */
export function openWebhookKey(vault: Vault, row: WebhookKeyRow): KeyObject {
  const known = opened.get(row)
  if (known) return known
  const digits = vault.unseal(sealedKey(row), ownerOf(row))
  const key = digits.use((bytes) => {
    const raw = Buffer.from(Buffer.from(bytes).toString('latin1'), 'hex')
    const made = createSecretKey(raw)
    raw.fill(0)
    return made
  })
  digits.wipe()
  opened.set(row, key)
  return key
}

/** The same key under the vault's current one. */
export function rewrappedKey(vault: Vault, row: WebhookKeyRow): WebhookKeyRow {
  const { wrappedKey, keyId } = vault.rewrap(sealedKey(row))
  return { ...row, wrapped_key: wrappedKey, key_id: keyId }
}

const sealedKey = ({ sealed, wrapped_key: wrappedKey, key_id: keyId }: WebhookKeyRow) => ({ sealed, wrappedKey, keyId })

/** It opens for its webhook only; an entity above the merchants has no merchant that it could be bound to. */
const ownerOf = ({ id, webhook_id }: Pick<WebhookKeyRow, 'id' | 'webhook_id'>) => ({ id, merchant: webhook_id })

/** pending: no test delivery has passed with it. current: it encrypts and signs. ending: it signs. ended: neither. */
export type KeyPhase = 'pending' | 'current' | 'ending' | 'ended'

/** @param keys all of a webhook's, oldest first */
export function phaseOf(row: WebhookKeyRow, keys: readonly WebhookKeyRow[], nowMs: number): KeyPhase {
  if (row.starts_at_ms === null) return 'pending'
  if (row.ends_at_ms !== null && row.ends_at_ms <= nowMs) return 'ended'
  return row.id === keys.findLast(({ starts_at_ms }) => starts_at_ms !== null)?.id ? 'current' : 'ending'
}

/** Those of a webhook's keys that are in a phase. */
export const keysIn = (phase: KeyPhase, keys: readonly WebhookKeyRow[], nowMs: number): readonly WebhookKeyRow[] =>
  keys.filter((row) => phaseOf(row, keys, nowMs) === phase)
