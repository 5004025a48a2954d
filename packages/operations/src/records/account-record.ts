import type { Secret } from '@tollgate/contract'
import type { AccountRow } from '@tollgate/storage'
import type { SealedRecord } from '@tollgate/vault'
import type { Context } from '../context.ts'
import { Type } from 'typebox'
import { known } from '../narrow.ts'
import { type AccountDetails, type MaskedAccount, type AccountKind, isAccountKind } from './masked-account.ts'
import { storedReader } from './stored-json.ts'

interface AccountAbout {
  readonly id: string
  readonly merchant: string
  readonly kind: AccountKind
  readonly brand: string | null
  readonly masked: MaskedAccount
  readonly atMs: number
}

/**
 * An account with its number sealed for this very row: each payment and each registration owns its own.
 *
 * @param number undefined where it was never ours to see: then only what may be shown is kept
 */
export async function sealedAccount(
  { vault }: Pick<Context, 'vault'>,
  number: Secret | undefined,
  about: AccountAbout,
): Promise<AccountRow> {
  if (!number) return accountWithoutNumber(about)
  const { id, merchant } = about
  const made = await vault.seal(number, { id, merchant })
  return accountRow(about, {
    fingerprint: made.fingerprint,
    fingerprint_key_id: made.fingerprintKeyId,
    sealed: made.sealed,
    wrapped_key: made.wrappedKey,
    key_id: made.keyId,
  })
}

/** What may be shown of an account that was refused; no number is kept. */
export function accountWithoutNumber(about: AccountAbout): AccountRow {
  return accountRow(about, {
    fingerprint: null,
    fingerprint_key_id: null,
    sealed: null,
    wrapped_key: null,
    key_id: null,
  })
}

type Sealed = Pick<AccountRow, 'fingerprint' | 'fingerprint_key_id' | 'sealed' | 'wrapped_key' | 'key_id'>

function accountRow({ id, merchant, kind, brand, masked, atMs }: AccountAbout, sealed: Sealed): AccountRow {
  return {
    id,
    merchant,
    kind,
    brand,
    bin: masked.bin,
    last4: masked.last4,
    holder: masked.holder,
    expiry_month: masked.expiryMonth,
    expiry_year: masked.expiryYear,
    details: JSON.stringify(masked.details),
    fingerprint: sealed.fingerprint,
    fingerprint_key_id: sealed.fingerprint_key_id,
    sealed: sealed.sealed,
    wrapped_key: sealed.wrapped_key,
    key_id: sealed.key_id,
    created_at_ms: atMs,
  }
}

/** What the vault opens of an account; undefined once it is shredded. */
export function sealedOf({ sealed, wrapped_key: wrappedKey, key_id: keyId }: AccountRow): SealedRecord | undefined {
  return sealed && wrappedKey && keyId !== null ? { sealed, wrappedKey, keyId } : undefined
}

/** The same account without its number and without the key to it: nothing can bring the number back. */
export function shredded(account: AccountRow): AccountRow {
  return { ...account, sealed: null, wrapped_key: null, key_id: null }
}

export const kindOf = (account: AccountRow): AccountKind => known(isAccountKind, account.kind)

const nested = Type.Cyclic(
  { nested: Type.Record(Type.String(), Type.Union([Type.String(), Type.Ref('nested')])) },
  'nested',
)
const readDetails = storedReader(nested)

export const detailsOf = (account: AccountRow): AccountDetails => readDetails(account.details)
