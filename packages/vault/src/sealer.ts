import type { KeyObject } from 'node:crypto'
import { encrypt, nonceBytes, overheadBytes } from './aead.ts'
import { hmac } from './hmac.ts'
import { keyBytes } from './key-ring.ts'
import { wrapKey } from './key-wrap.ts'
import { openRandomPool, type Random } from './random-pool.ts'

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

/** Seals a number under a new data key, which is wiped. `associatedDataOf` returns the associated data. */
export type Sealer = (keys: SealingKeys, number: Uint8Array, associatedData: Uint8Array) => SealedNumber

/** Returns the function that seals. `random` must be cryptographically strong. */
export function openSealer(random: Random): Sealer {
  const draw = openRandomPool(random)
  return (keys, number, associatedData) => {
    const drawn = draw(keyBytes + nonceBytes)
    const dataKey = drawn.subarray(0, keyBytes)
    const sealed = new Uint8Array(number.length + sealedOverheadBytes)
    sealed[0] = sealedFormat
    encrypt(dataKey, drawn.subarray(keyBytes), associatedData, number, sealed, 1)
    const wrappedKey = wrapKey(keys.wrappingKey, dataKey)
    drawn.fill(0)
    const fingerprint = hmac(keys.fingerprint, number)
    return { sealed, wrappedKey, keyId: keys.keyId, fingerprint, fingerprintKeyId: keys.fingerprintKeyId }
  }
}
