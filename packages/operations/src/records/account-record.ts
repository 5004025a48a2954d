import type { Secret } from '@tollgate/contract'
import type { AccountRow } from '@tollgate/storage'
import type { SealedRecord, Vault } from '@tollgate/vault'
import type { Context } from '../context.ts'
import { Type } from 'typebox'
import { narrow } from '../narrow.ts'
import { type AccountDetails, type MaskedAccount, type AccountKind, isAccountKind } from './masked-account.ts'
import { jsonOf, storedReader } from './stored-json.ts'

/** The transaction that stores an account, such as a payment, a registration or its update. */
interface Owner {
  readonly id: string
  readonly merchant: string
  readonly atMs: number
}

/** An account from a request or from the storage. */
interface PresentedAccount {
  readonly account: AccountKind
  readonly brand?: string | null | undefined
  readonly masked: MaskedAccount
  /** undefined if the gateway does not receive the number: then only the masked account is stored. */
  readonly number?: Secret | undefined
}

/**
 * The row of an account with its number encrypted for the owner: each payment and each registration has its own copy.
 */
export async function sealedAccount(
  { vault }: Pick<Context, 'vault'>,
  presented: PresentedAccount,
  owner: Owner,
): Promise<AccountRow> {
  const { number } = presented
  return accountRow(presented, owner, number && (await vault.seal(number, owner)))
}

/** The row of a refused account without its number; undefined if no part of the account may be displayed. */
export const accountWithoutNumber = (
  { account, brand, masked }: Omit<PresentedAccount, 'masked'> & { readonly masked: MaskedAccount | undefined },
  owner: Owner,
): AccountRow | undefined => masked && accountRow({ account, brand, masked }, owner)

const accountRow = (
  { account: kind, brand = null, masked }: PresentedAccount,
  { id, merchant, atMs }: Owner,
  encrypted?: Awaited<ReturnType<Vault['seal']>>,
): AccountRow => ({
  id,
  merchant,
  kind,
  brand,
  bin: masked.bin,
  last4: masked.last4,
  holder: masked.holder,
  expiry_month: masked.expiryMonth,
  expiry_year: masked.expiryYear,
  details: jsonOf(masked.details),
  fingerprint: encrypted?.fingerprint ?? null,
  fingerprint_key_id: encrypted?.fingerprintKeyId ?? null,
  sealed: encrypted?.sealed ?? null,
  wrapped_key: encrypted?.wrappedKey ?? null,
  key_id: encrypted?.keyId ?? null,
  created_at_ms: atMs,
})

/** The encrypted number of an account, for the vault; undefined if the number was never stored or is shredded. */
export function sealedOf({ sealed, wrapped_key: wrappedKey, key_id: keyId }: AccountRow): SealedRecord | undefined {
  return sealed && wrappedKey && keyId !== null ? { sealed, wrappedKey, keyId } : undefined
}

/** The account without its number and the key of the number, so that the number cannot be restored. */
export function shreddedAccount(account: AccountRow): AccountRow {
  return { ...account, sealed: null, wrapped_key: null, key_id: null }
}

/** Whether the number of an account was stored, and shredded later. The fingerprint of a number outlives it. */
export const wasErased = ({ sealed, fingerprint }: AccountRow): boolean => sealed === null && fingerprint !== null

export const kindOf = (account: AccountRow): AccountKind => narrow(isAccountKind, account.kind)

const nested = Type.Cyclic(
  { nested: Type.Record(Type.String(), Type.Union([Type.String(), Type.Ref('nested')])) },
  'nested',
)
const readDetails = storedReader(nested)

export const detailsOf = (account: AccountRow): AccountDetails => readDetails(account.details)
