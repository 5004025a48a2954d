import { randomBytes } from 'node:crypto'
import { Secret } from '@tollgate/contract'
import { decrypt } from './aead.ts'
import { associatedDataOf, checkSecret, type RecordIdentity, type SealedKind } from './arguments.ts'
import { hmac } from './hmac.ts'
import { type KeyRing, type KeySet, type KeySetName, type Random, withoutKey } from './key-ring.ts'
import { limits } from './limits.ts'
import { unwrapKey, wrapKey } from './key-wrap.ts'
import { keyOf, openKeyRing, sealingKeysOf } from './open-key-ring.ts'
import { openSealer, type SealedNumber, type SealedRecord, sealedFormat } from './sealer.ts'
import { closedError, VaultError } from './vault-error.ts'

/** A number that waits for its encryption. */
interface WaitingNumber {
  readonly number: Secret
  readonly kind: SealedKind
  readonly record: RecordIdentity
  readonly resolve: (sealed: SealedNumber) => void
  readonly reject: (error: unknown) => void
}

/** A keyed hash by which a number is recognised, 32 bytes, with the id of its key. */
export interface Fingerprint {
  readonly keyId: string
  readonly code: Uint8Array
}

/** Purposes of HMACs; each has its own key. */
export type MacPurpose = 'token' | 'idempotency'

/** The ids of the keys of one key set. `previous` keys are for existing records only. */
export interface KeyIds {
  readonly current: string
  readonly previous: readonly string[]
}

/** The functions that use the keys of an installation. They wipe every data key that they create. */
export interface Vault {
  /**
   * Encrypts a number of 1 to 1,020 bytes for one record. Rejects with VaultError: 'argument', or 'unavailable' once
   * the vault is closed. The caller wipes `number` after the promise is resolved or rejected.
   */
  seal(number: Secret, record: RecordIdentity): Promise<SealedNumber>
  /** Encrypts credentials of up to 32 KiB, text in UTF-8; otherwise like `seal`. */
  sealCredentials(credentials: Secret, record: RecordIdentity): Promise<SealedRecord>
  /**
   * Encrypts a document of up to 10 MiB, with any bytes, at once: some milliseconds. Throws VaultError: 'argument', or
   * 'unavailable' once the vault is closed.
   */
  sealDocument(document: Uint8Array, record: RecordIdentity): SealedRecord
  /**
   * Decrypts a number, which the caller wipes. Throws VaultError: 'argument' for an invalid id or merchant, 'unknown
   * key' if the ring lacks `keyId`, 'not authentic' if the record was altered, or sealed for another row or merchant.
   */
  unseal(sealed: SealedRecord, record: RecordIdentity): Secret
  /**
   * Wraps the data key of a record under the current key; the encrypted number stays unchanged. Throws VaultError:
   * 'unknown key' if the ring lacks `keyId`, 'not authentic' if the wrapped key was altered.
   */
  rewrap(sealed: SealedRecord): Pick<SealedRecord, 'wrappedKey' | 'keyId'>
  /**
   * HMAC-SHA-256 of a number under the current key: equal for equal numbers under the same key, and useless without
   * that key.
   */
  fingerprint(number: Secret): Uint8Array
  /**
   * The fingerprints of a number under every key of the ring, that of the current key first. They are computed once for
   * a `Secret` and ring, and shared: callers do not change them.
   */
  fingerprints(number: Secret): readonly Fingerprint[]
  /** HMAC-SHA-256 of `data` (a string as UTF-8) under the key of `purpose`. */
  mac(purpose: MacPurpose, data: Uint8Array | string): Uint8Array
  /** The ids of the keys of the ring. */
  keyIds(): Readonly<Record<KeySetName, KeyIds>>
  /**
   * Uses a copy of another ring from now on; numbers given to `seal` before are sealed with the earlier keys. Erases
   * the data keys that were made and not used. Throws VaultError ('key ring') and keeps the current ring if the new one
   * cannot be used.
   */
  changeRing(ring: KeyRing): void
  /** Removes a key from the ring in memory. Throws VaultError ('argument') for a current key. */
  forgetKey(name: KeySetName, id: string): void
  /**
   * Completes pending seals, erases the data keys that were made and not used, and rejects later seals. Resolves when
   * all are complete; may be called several times.
   */
  close(): Promise<void>
}

/** Opens a vault with a copy of a ring. `random` must be cryptographically strong; tests pass a seeded generator. */
export function openVault(ring: KeyRing, random: Random = randomBytes): Vault {
  let keys = openKeyRing(ring)
  let currentKeys = sealingKeysOf(keys)
  let sealer = openSealer(currentKeys, random)
  /** The fingerprints of numbers that are in use: a card is looked up by them, and then sealed. */
  let fingerprintsOf = new WeakMap<Secret, readonly Fingerprint[]>()
  let isClosed = false
  /** Numbers that are sealed in the next microtask, or at once when the batch is full. */
  let batch: WaitingNumber[] = []

  /** The data key of a record, which the caller wipes. */
  function dataKeyOf({ keyId, wrappedKey }: SealedRecord): Uint8Array {
    const dataKey = unwrapKey(keyOf(keys.encryption, keyId), wrappedKey)
    if (dataKey === undefined) throw notAuthentic()
    return dataKey
  }

  /** Seals the numbers that wait. An invalid number rejects only its own promise. */
  function sealBatch(): void {
    const waiting = batch
    batch = []
    for (const { number, kind, record, resolve, reject } of waiting) {
      try {
        checkSecret(number, kind)
        const associatedData = associatedDataOf(record)
        const [fingerprint] = fingerprintsOf.get(number) ?? []
        resolve(number.use((bytes) => sealer.seal(bytes, associatedData, fingerprint?.code)))
      } catch (error) {
        reject(error)
      }
    }
  }

  function sealInBatch(number: Secret, kind: SealedKind, record: RecordIdentity): Promise<SealedNumber> {
    if (isClosed) return Promise.reject(closedError())
    return new Promise((resolve, reject) => {
      if (batch.length === 0) queueMicrotask(sealBatch)
      batch.push({ number, kind, record, resolve, reject })
      if (batch.length === limits.batchNumbers) sealBatch()
    })
  }

  return {
    seal: (number, record) => sealInBatch(number, 'number', record),
    async sealCredentials(credentials, record) {
      const { sealed, wrappedKey, keyId } = await sealInBatch(credentials, 'credentials', record)
      return { sealed, wrappedKey, keyId }
    },
    sealDocument(document, record) {
      if (isClosed) throw closedError()
      if (document.length < 1 || document.length > limits.documentBytesMax)
        throw new VaultError('argument', `document must be 1 to ${limits.documentBytesMax} bytes`)
      const { sealed, wrappedKey, keyId } = sealer.seal(document, associatedDataOf(record), noFingerprint)
      return { sealed, wrappedKey, keyId }
    },

    unseal(stored, record) {
      const associatedData = associatedDataOf(record)
      const dataKey = dataKeyOf(stored)
      const isKnownFormat = stored.sealed[0] === sealedFormat
      const number = isKnownFormat ? decrypt(dataKey, associatedData, stored.sealed.subarray(1)) : undefined
      dataKey.fill(0)
      if (number === undefined) throw notAuthentic()
      return new Secret(number)
    },

    rewrap(stored) {
      const dataKey = dataKeyOf(stored)
      const wrappedKey = wrapKey(currentKeys.wrappingKey, dataKey)
      dataKey.fill(0)
      return { wrappedKey, keyId: currentKeys.keyId }
    },

    fingerprint: (number) => number.use((bytes) => hmac(currentKeys.fingerprint, bytes)),
    fingerprints(number) {
      const known = fingerprintsOf.get(number)
      if (known) return known
      const { current, keys: allKeys } = keys.fingerprint
      const previous = Object.entries(allKeys).filter(([id]) => id !== current)
      const ordered = [[current, currentKeys.fingerprint] as const, ...previous]
      const made = number.use((bytes) => ordered.map(([keyId, key]) => ({ keyId, code: hmac(key, bytes) })))
      fingerprintsOf.set(number, made)
      return made
    },
    mac: (purpose, data) => hmac(keys[purpose], data),
    keyIds: () => ({ encryption: idsOf(keys.encryption), fingerprint: idsOf(keys.fingerprint) }),
    changeRing(newRing) {
      const newKeys = openKeyRing(newRing)
      sealBatch()
      sealer.wipe()
      keys = newKeys
      currentKeys = sealingKeysOf(keys)
      sealer = openSealer(currentKeys, random)
      fingerprintsOf = new WeakMap()
    },
    forgetKey(name, id) {
      if (keys[name].current === id) throw new VaultError('argument', 'a current key cannot be forgotten')
      keys = withoutKey(keys, name, id)
      fingerprintsOf = new WeakMap()
    },
    async close() {
      sealBatch()
      sealer.wipe()
      isClosed = true
    },
  }
}

/** Documents are not found by their content. */
const noFingerprint = new Uint8Array()

function idsOf({ current, keys }: KeySet<unknown>): KeyIds {
  return { current, previous: Object.keys(keys).filter((id) => id !== current) }
}

function notAuthentic(): VaultError {
  return new VaultError('not authentic', 'the record was altered, or sealed for another row or merchant')
}
