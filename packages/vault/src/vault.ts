import { randomBytes } from 'node:crypto'
import { Secret } from '@tollgate/contract'
import { decrypt } from './aead.ts'
import { checkNumber, contextOf } from './arguments.ts'
import { hmac } from './hmac.ts'
import { compareKeyCheck, writeKeyCheck } from './key-check.ts'
import type { KeyRing } from './key-ring.ts'
import { unwrapKey } from './key-wrap.ts'
import { openKeyRing } from './open-key-ring.ts'
import type { Random } from './random-pool.ts'
import { openSealer, sealedFormat } from './sealer.ts'
import { closedError, VaultError } from './vault-error.ts'

/** Where a number is stored. It opens there only: both are bound into it. 1 to 64 letters, digits, `.`, `_`, `-`. */
export interface RecordName {
  readonly id: string
  readonly merchant: string
}

/** What is stored of a number. Without `wrappedKey` the rest is noise: dropping it shreds the number. */
export interface SealedRecord {
  /** Format byte, nonce, ciphertext, tag. */
  readonly sealed: Uint8Array
  /** The record's data key, wrapped under the ring's key `keyId`: 40 bytes. */
  readonly wrappedKey: Uint8Array
  readonly keyId: string
}

/** A freshly sealed number with the 32-byte keyed hash that recognises it. */
export interface SealedNumber extends SealedRecord {
  readonly fingerprint: Uint8Array
}

/** What codes are made for: each purpose has its own key. */
export type MacPurpose = 'token' | 'idempotency'

/** The keys of an installation at work. Wipes every data key and plaintext that it made. */
export interface Vault {
  /**
   * Encrypts a number of 1 to 1,020 bytes for one record. Rejects with VaultError: 'argument', or 'unavailable' once
   * the vault is closed or has failed. The caller wipes `number` when the promise has settled, and not before.
   */
  seal(number: Secret, record: RecordName): Promise<SealedNumber>
  /**
   * Decrypts a number, which the caller wipes. Throws VaultError: 'unknown key' if the ring lacks `keyId`, 'not
   * authentic' for anything altered, or sealed for another record or merchant.
   */
  unseal(sealed: SealedRecord, record: RecordName): Secret
  /**
   * HMAC-SHA-256 of a number: the same for the same number everywhere in the installation, meaningless outside of it.
   */
  fingerprint(number: Secret): Uint8Array
  /** HMAC-SHA-256 of `data` (a string as UTF-8) under the key of `purpose`. */
  mac(purpose: MacPurpose, data: Uint8Array | string): Uint8Array
  /** A text that identifies every key of the ring and reveals none. Store it beside the data. */
  keyCheckValue(): string
  /** What is wrong with this ring for data that was stored with the value: one sentence a key, none if all is well. */
  verifyKeyCheck(value: string): readonly string[]
  /** Seals what it was given before, and nothing any more. Resolves when that is done, however often it is called. */
  close(): Promise<void>
}

/** Opens a vault over a ring, which is copied. `random` must be cryptographically strong; tests pass a seeded one. */
export function openVault(ring: KeyRing, random: Random = randomBytes): Vault {
  const { keyId, wrapper, macs } = openKeyRing(ring)
  const keyCheck = writeKeyCheck(ring)
  const sealer = openSealer({ wrapper: wrapper(keyId), fingerprint: macs.fingerprint }, random)
  let isClosed = false

  return {
    async seal(number, record) {
      if (isClosed) throw closedError()
      checkNumber(number)
      const context = contextOf(record, keyId)
      return { keyId, ...number.use((bytes) => sealer(bytes, context)) }
    },

    unseal(stored, record) {
      const context = contextOf(record, stored.keyId)
      const wrappingKey = wrapper(stored.keyId)
      if (stored.sealed[0] !== sealedFormat) throw notAuthentic()
      const dataKey = unwrapKey(wrappingKey, stored.wrappedKey)
      if (dataKey === undefined) throw notAuthentic()
      const number = decrypt(dataKey, context, stored.sealed.subarray(1))
      dataKey.fill(0)
      if (number === undefined) throw notAuthentic()
      return new Secret(number)
    },

    fingerprint: (number) => number.use((bytes) => hmac(macs.fingerprint, bytes)),
    mac: (purpose, data) => hmac(macs[purpose], data),
    keyCheckValue: () => keyCheck,
    verifyKeyCheck: (value) => compareKeyCheck(value, keyCheck),
    async close() {
      isClosed = true
    },
  }
}

function notAuthentic(): VaultError {
  return new VaultError('not authentic', 'the record was altered, or sealed for another row or merchant')
}
