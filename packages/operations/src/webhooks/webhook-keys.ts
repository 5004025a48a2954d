import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { Secret } from '@tollgate/contract'
import type { WebhookKeyRow } from '@tollgate/storage'
import type { Vault } from '@tollgate/vault'

/**
 * Creates a key: 64 hex digits that are shown once, and the row to store.
 *
 * @param ids the id of the key, and the id and merchant of its webhook
 */
export async function newWebhookKey(
  vault: Vault,
  ids: Pick<WebhookKeyRow, 'id' | 'webhook_id' | 'merchant'>,
  atMs: number,
) {
  const key = randomBytes(32).toString('hex')
  // The key is encrypted as digits, because the vault accepts no zero bytes, which a random key may contain.
  const digits = new Secret(Buffer.from(key, 'latin1'))
  const { sealed, wrappedKey, keyId } = await vault.seal(digits, ownerOf(ids)).finally(() => digits.wipe())
  const row: WebhookKeyRow = {
    id: ids.id,
    merchant: ids.merchant,
    webhook_id: ids.webhook_id,
    sealed,
    wrapped_key: wrappedKey,
    key_id: keyId,
    created_at_ms: atMs,
    starts_at_ms: null,
    ends_at_ms: null,
  }
  return { key, row }
}

/** Cache of decrypted keys by row, because a decryption costs more than a signature. */
const openedKeys = new WeakMap<WebhookKeyRow, KeyObject>()

/**
 * The decrypted key of 32 bytes, in memory outside of the JavaScript heap. It is wiped when its row is
 * garbage-collected.
 */
export function openWebhookKey(vault: Vault, row: WebhookKeyRow): KeyObject {
  const cached = openedKeys.get(row)
  if (cached) return cached
  const digits = vault.unseal(sealedKey(row), ownerOf(row))
  const key = digits.use((bytes) => {
    const raw = Buffer.from(Buffer.from(bytes).toString('latin1'), 'hex')
    const created = createSecretKey(raw)
    raw.fill(0)
    return created
  })
  digits.wipe()
  openedKeys.set(row, key)
  return key
}

/** The row with its key wrapped under the vault's current key. */
export function rewrappedKey(vault: Vault, row: WebhookKeyRow): WebhookKeyRow {
  const { wrappedKey, keyId } = vault.rewrap(sealedKey(row))
  return { ...row, wrapped_key: wrappedKey, key_id: keyId }
}

const sealedKey = ({ sealed, wrapped_key: wrappedKey, key_id: keyId }: WebhookKeyRow) => ({ sealed, wrappedKey, keyId })

/** A key is bound to its webhook and not to a merchant, because an entity above the merchants has none. */
const ownerOf = ({ id, webhook_id }: Pick<WebhookKeyRow, 'id' | 'webhook_id'>) => ({ id, merchant: webhook_id })

/**
 * pending: no test delivery with the key has succeeded. current: the key encrypts and signs. ending: it only signs.
 * ended: it does neither.
 */
export type KeyPhase = 'pending' | 'current' | 'ending' | 'ended'

/**
 * The phase of a key.
 *
 * @param keys all keys of the webhook, oldest first
 */
export function phaseOf(row: WebhookKeyRow, keys: readonly WebhookKeyRow[], nowMs: number): KeyPhase {
  if (row.starts_at_ms === null) return 'pending'
  if (row.ends_at_ms !== null && row.ends_at_ms <= nowMs) return 'ended'
  return row.id === keys.findLast(({ starts_at_ms }) => starts_at_ms !== null)?.id ? 'current' : 'ending'
}

/** The keys of a webhook that are in a phase. */
export const keysIn = (phase: KeyPhase, keys: readonly WebhookKeyRow[], nowMs: number): readonly WebhookKeyRow[] =>
  keys.filter((row) => phaseOf(row, keys, nowMs) === phase)
