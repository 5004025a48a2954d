import { createSecretKey, type KeyObject } from 'node:crypto'
import { checkKeyRing, type KeyRing, type KeySet } from './key-ring.ts'
import type { SealingKeys } from './sealer.ts'
import { VaultError } from './vault-error.ts'

/** Keys as handles: a logged handle does not show its bytes, and another thread receives it without a copy of them. */
export type OpenKeyRing = KeyRing<KeyObject>

/** Copies the keys of a ring. Throws VaultError ('key ring') if the ring is invalid. */
export function openKeyRing(ring: KeyRing): OpenKeyRing {
  const { encryption, fingerprint, token, idempotency } = checkKeyRing(ring)
  return {
    encryption: openKeySet(encryption),
    fingerprint: openKeySet(fingerprint),
    token: createSecretKey(token),
    idempotency: createSecretKey(idempotency),
  }
}

function openKeySet({ current, keys }: KeySet): KeySet<KeyObject> {
  return {
    current,
    keys: Object.fromEntries(Object.entries(keys).map(([id, key]) => [id, createSecretKey(key)])),
  }
}

/** The key with an id. Throws VaultError ('unknown key'). */
export function keyOf({ keys }: KeySet<KeyObject>, id: string): KeyObject {
  const key = Object.hasOwn(keys, id) ? keys[id] : undefined
  if (!key) throw new VaultError('unknown key', 'the record was made with a key that the ring lacks')
  return key
}

/** The keys for new records. */
export function sealingKeysOf({ encryption, fingerprint }: OpenKeyRing): SealingKeys {
  return {
    keyId: encryption.current,
    wrappingKey: keyOf(encryption, encryption.current),
    fingerprintKeyId: fingerprint.current,
    fingerprint: keyOf(fingerprint, fingerprint.current),
  }
}
