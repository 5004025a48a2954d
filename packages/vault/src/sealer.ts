import type { KeyObject } from 'node:crypto'
import { encrypt, overheadBytes } from './aead.ts'
import { openDataKeyPool } from './data-key-pool.ts'
import { hmac } from './hmac.ts'
import type { Random } from './key-ring.ts'

/**
 * The first byte of `sealed`: AES-256-GCM under a data key wrapped by RFC 3394. A different scheme needs a different
 * number.
 */
export const sealedFormat = 1

/** Bytes of `sealed` in addition to those of the number: the format, the nonce and the tag. */
const sealedOverheadBytes = 1 + overheadBytes

/** Keys for sealing. */
export interface SealingKeys {
  readonly keyId: string
  readonly wrappingKey: KeyObject
  readonly fingerprintKeyId: string
  readonly fingerprint: KeyObject
}

/** The stored record of a number. Without `wrappedKey` the number cannot be decrypted. */
export interface SealedRecord {
  /** Format byte, nonce, ciphertext, tag. */
  readonly sealed: Uint8Array
  /** The record's data key, wrapped under the ring's key `keyId`: 40 bytes. */
  readonly wrappedKey: Uint8Array
  readonly keyId: string
}

/** A new record of a number with its fingerprint, a keyed hash of 32 bytes, and the id of the fingerprint's key. */
export interface SealedNumber extends SealedRecord {
  readonly fingerprint: Uint8Array
  readonly fingerprintKeyId: string
}

/** Seals numbers under the keys of one ring. */
export interface Sealer {
  /**
   * Seals a number under a new data key, which is wiped. `associatedDataOf` returns the associated data.
   *
   * @param fingerprint that of the number if it is known
   */
  seal(number: Uint8Array, associatedData: Uint8Array, fingerprint?: Uint8Array): SealedNumber
  /** Erases the data keys that were made and not used. */
  wipe(): void
}

/** @param random must be cryptographically strong */
export function openSealer(keys: SealingKeys, random: Random): Sealer {
  const { keyId, wrappingKey, fingerprintKeyId } = keys
  const dataKeys = openDataKeyPool(random, wrappingKey)
  return {
    seal(number, associatedData, fingerprint = hmac(keys.fingerprint, number)) {
      const { bytes, wrapped, nonce } = dataKeys.next()
      const sealed = new Uint8Array(number.length + sealedOverheadBytes)
      sealed[0] = sealedFormat
      try {
        encrypt(bytes, nonce, associatedData, number, sealed, 1)
      } finally {
        bytes.fill(0)
      }
      return { sealed, wrappedKey: wrapped, keyId, fingerprint, fingerprintKeyId }
    },
    wipe: () => dataKeys.wipe(),
  }
}
