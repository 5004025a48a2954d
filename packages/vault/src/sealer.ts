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
export const sealedOverheadBytes = 1 + overheadBytes

/** Keys for sealing. A `KeyObject` is a handle, which can be passed to another thread without a copy of the key. */
export interface SealingKeys {
  readonly keyId: string
  readonly wrappingKey: KeyObject
  readonly fingerprintKeyId: string
  readonly fingerprint: KeyObject
}

/** A sealed number. */
export interface Sealing {
  readonly sealed: Uint8Array
  readonly wrappedKey: Uint8Array
  readonly fingerprint: Uint8Array
}

/** Seals a number under a new data key, which is wiped. `associatedDataOf` returns the associated data. */
export type Sealer = (keys: SealingKeys, number: Uint8Array, associatedData: Uint8Array) => Sealing

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
    return { sealed, wrappedKey, fingerprint: hmac(keys.fingerprint, number) }
  }
}
