import { createSecretKey, type KeyObject } from 'node:crypto'
import { checkKeyRing, type KeyRing, type macKeys } from './key-ring.ts'
import { VaultError } from './vault-error.ts'

/** The keys of a ring as handles: a handle shows no bytes and goes to another thread without a copy of them. */
export interface OpenKeyRing {
  /** The encryption key that new records are sealed under. */
  readonly keyId: string
  /** The encryption key of that id. Throws VaultError ('unknown key'). */
  readonly wrapper: (id: string) => KeyObject
  readonly macs: Readonly<Record<(typeof macKeys)[number], KeyObject>>
}

/** Copies the keys of a ring. Throws VaultError ('key ring') when it cannot be used. */
export function openKeyRing(ring: KeyRing): OpenKeyRing {
  const { encryption, fingerprint, token, idempotency } = checkKeyRing(ring)
  const wrappers = new Map(Object.entries(encryption.keys).map(([id, key]) => [id, createSecretKey(key)]))
  return {
    keyId: encryption.current,
    wrapper(id) {
      const key = wrappers.get(id)
      if (!key) throw new VaultError('unknown key', 'the record was sealed under a key that the ring lacks')
      return key
    },
    macs: {
      fingerprint: createSecretKey(fingerprint),
      token: createSecretKey(token),
      idempotency: createSecretKey(idempotency),
    },
  }
}
