import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { Secret } from '@tollgate/contract'
import { decrypt, encrypt, nonceBytes, overheadBytes } from './aead.ts'
import { compareKeyCheck, writeKeyCheck } from './key-check.ts'
import { checkKeyRing, keyBytes, type KeyRing } from './key-ring.ts'
import { unwrapKey, wrapKey } from './key-wrap.ts'
import { limits } from './limits.ts'
import { openRandomPool, type Random } from './random-pool.ts'
import { VaultError } from './vault-error.ts'

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
   * Encrypts a number of 1 to 64 bytes for one record. Throws VaultError ('argument'); the caller still wipes
   * `number`.
   */
  seal(number: Secret, record: RecordName): SealedNumber
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
}

/** First byte of `sealed`: AES-256-GCM under a data key wrapped by RFC 3394. Another scheme takes another number. */
const format = 1
const nameForm = /^[A-Za-z0-9._-]{1,64}$/

/** Opens a vault over a ring, which is copied. `random` must be cryptographically strong; tests pass a seeded one. */
export function openVault(ring: KeyRing, random: Random = randomBytes): Vault {
  const { encryption } = checkKeyRing(ring)
  const keyId = encryption.current
  const keyCheck = writeKeyCheck(ring)
  const wrappers = new Map(Object.entries(encryption.keys).map(([id, key]) => [id, createSecretKey(key)]))
  const wrapper = (id: string): KeyObject => {
    const key = wrappers.get(id)
    if (key === undefined) throw new VaultError('unknown key', 'the record was sealed under a key that the ring lacks')
    return key
  }
  const current = wrapper(keyId)
  const macs = {
    fingerprint: createSecretKey(ring.fingerprint),
    token: createSecretKey(ring.token),
    idempotency: createSecretKey(ring.idempotency),
  } as const
  const draw = openRandomPool(random)
  const fingerprint = (number: Secret) => number.use((bytes) => hmac(macs.fingerprint, bytes))

  return {
    seal(number, record) {
      checkNumber(number)
      checkRecord(record)
      const drawn = draw(keyBytes + nonceBytes)
      const dataKey = drawn.subarray(0, keyBytes)
      const nonce = drawn.subarray(keyBytes)
      const sealed = new Uint8Array(1 + number.length + overheadBytes)
      sealed[0] = format
      number.use((bytes) => encrypt(dataKey, nonce, context(record, keyId), bytes, sealed, 1))
      const wrappedKey = wrapKey(current, dataKey)
      drawn.fill(0)
      return { sealed, wrappedKey, keyId, fingerprint: fingerprint(number) }
    },

    unseal(stored, record) {
      checkRecord(record)
      const wrappingKey = wrapper(stored.keyId)
      if (stored.sealed[0] !== format) throw notAuthentic()
      const dataKey = unwrapKey(wrappingKey, stored.wrappedKey)
      if (dataKey === undefined) throw notAuthentic()
      const number = decrypt(dataKey, context(record, stored.keyId), stored.sealed.subarray(1))
      dataKey.fill(0)
      if (number === undefined) throw notAuthentic()
      return new Secret(number)
    },

    fingerprint,
    mac: (purpose, data) => hmac(macs[purpose], data),
    keyCheckValue: () => keyCheck,
    verifyKeyCheck: (value) => compareKeyCheck(value, keyCheck),
  }
}

function hmac(key: KeyObject, data: Uint8Array | string): Uint8Array {
  return createHmac('sha256', key).update(data).digest()
}

/** Associated data: table, column, row, merchant, key. None of the parts can hold the separator. */
function context(record: RecordName, keyId: string): Uint8Array {
  return Buffer.from(`account|sealed|${record.id}|${record.merchant}|${keyId}`, 'latin1')
}

function checkRecord(record: RecordName): void {
  if (!nameForm.test(record.id)) throw new VaultError('argument', `record id must match ${nameForm.source}`)
  if (!nameForm.test(record.merchant)) throw new VaultError('argument', `merchant must match ${nameForm.source}`)
}

/** A wiped secret is all zeros: sealing one would lose the number without a trace. */
function checkNumber(number: Secret): void {
  if (number.length < 1 || number.length > limits.numberBytesMax) {
    throw new VaultError('argument', `number must be 1 to ${limits.numberBytesMax} bytes`)
  }
  if (number.use((bytes) => bytes.includes(0))) throw new VaultError('argument', 'number was wiped')
}

function notAuthentic(): VaultError {
  return new VaultError('not authentic', 'the record was altered, or sealed for another row or merchant')
}
