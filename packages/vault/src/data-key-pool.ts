import type { KeyObject } from 'node:crypto'
import { nonceBytes } from './aead.ts'
import { keyBytes, type Random } from './key-ring.ts'
import { openKeyWrapper, wrappedKeyBytes } from './key-wrap.ts'
import { limits } from './limits.ts'

/** A new data key with its wrapped form, and a new nonce. The caller wipes `bytes` after use. */
export interface DataKey {
  readonly bytes: Uint8Array
  readonly wrapped: Uint8Array
  readonly nonce: Uint8Array
}

export interface DataKeyPool {
  /** The next data key. No key is returned twice. */
  next(): DataKey
  /** Erases the keys that are left. */
  wipe(): void
}

/**
 * Makes data keys in bulk: one call to the operating system for their random bytes costs as much as a whole seal, and
 * keys that are wrapped together take a fraction of the time of keys that are wrapped one by one. An unused key has
 * encrypted nothing.
 */
export function openDataKeyPool(random: Random, wrappingKey: KeyObject): DataKeyPool {
  const wrapKeys = openKeyWrapper(wrappingKey)
  let keys: Uint8Array = new Uint8Array(0)
  let nonces: Uint8Array = new Uint8Array(0)
  let wrapped: Uint8Array = new Uint8Array(0)
  let next = 0

  /** After an error the pool is still empty: no number may be sealed with a key that has no wrapped form. */
  function fill(): void {
    const newKeys = random(limits.dataKeysInPool * keyBytes)
    try {
      nonces = random(limits.dataKeysInPool * nonceBytes)
      wrapped = wrapKeys(newKeys)
    } catch (error) {
      newKeys.fill(0)
      throw error
    }
    keys = newKeys
    next = 0
  }

  return {
    next() {
      if (next * keyBytes === keys.length) fill()
      const index = next++
      return {
        bytes: keys.subarray(index * keyBytes, (index + 1) * keyBytes),
        wrapped: wrapped.slice(index * wrappedKeyBytes, (index + 1) * wrappedKeyBytes),
        nonce: nonces.subarray(index * nonceBytes, (index + 1) * nonceBytes),
      }
    },
    wipe() {
      keys.fill(0)
      next = keys.length / keyBytes
    },
  }
}
