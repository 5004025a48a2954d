import type { Secret } from '@tollgate/contract'
import { limits } from './limits.ts'
import { VaultError } from './vault-error.ts'

/**
 * The id of the row and the merchant to which the encryption of a number is bound. Each has 1 to 64 of the characters
 * letters, digits, `.`, `_` and `-`.
 */
export interface RecordIdentity {
  readonly id: string
  readonly merchant: string
}

const partForm = /^[A-Za-z0-9._-]{1,64}$/

/**
 * Associated data (ASCII) of a number: table, column, row, merchant. None of the parts can contain the separator. The
 * wrapping key is not included, because it can change without a new encryption of the number.
 * Throws VaultError ('argument') for a record with an invalid id or merchant.
 */
export function associatedDataOf(record: RecordIdentity): Uint8Array {
  if (!partForm.test(record.id)) throw new VaultError('argument', `record id must match ${partForm.source}`)
  if (!partForm.test(record.merchant)) throw new VaultError('argument', `merchant must match ${partForm.source}`)
  return Buffer.from(`account|sealed|${record.id}|${record.merchant}`, 'latin1')
}

/** What is sealed, with the maximum of its bytes. */
const sealedKinds = { number: limits.numberBytesMax, credentials: limits.credentialsBytesMax } as const
export type SealedKind = keyof typeof sealedKinds

/**
 * Throws VaultError ('argument') for a value that cannot be sealed. A wiped secret is all zeros: if it were sealed,
 * the value would be lost unnoticed.
 */
export function checkSecret(secret: Secret, kind: SealedKind): void {
  if (secret.length < 1 || secret.length > sealedKinds[kind]) {
    throw new VaultError('argument', `${kind} must be 1 to ${sealedKinds[kind]} bytes`)
  }
  if (secret.use((bytes) => bytes.includes(0))) {
    throw new VaultError('argument', `${kind} must not contain a zero byte, as a wiped secret does`)
  }
}
