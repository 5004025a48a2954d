import type { Secret } from '@tollgate/contract'
import type { AccountRow } from '@tollgate/storage'
import type { SealedRecord, Vault } from '@tollgate/vault'
import type { Context } from '../context.ts'
import { Type } from 'typebox'
import { known } from '../narrow.ts'
import { type AccountDetails, type MaskedAccount, type AccountKind, isAccountKind } from './masked-account.ts'
import { storedReader } from './stored-json.ts'

/** The row that an account is stored for. */
interface Owner {
  readonly id: string
  readonly merchant: string
  readonly atMs: number
}

/** An account that a request brings, or that was stored before. */
interface PresentedAccount {
  readonly account: AccountKind
  readonly brand?: string | null | undefined
  readonly masked: MaskedAccount
  /** undefined where the gateway never has it: then only the masked account is stored. */
  readonly number?: Secret | undefined
}

/** An account with its number sealed for this very row: each payment and each registration owns its own. */
export async function sealedAccount(
  { vault }: Pick<Context, 'vault'>,
  presented: PresentedAccount,
  owner: Owner,
): Promise<AccountRow> {
  const { number } = presented
  return accountRow(presented, owner, number && (await vault.seal(number, owner)))
}

/** The displayable part of a refused account, if any. Its number is not stored. */
export const accountWithoutNumber = (
  { account, brand, masked }: Omit<PresentedAccount, 'masked'> & { readonly masked: MaskedAccount | undefined },
  owner: Owner,
): AccountRow | undefined => masked && accountRow({ account, brand, masked }, owner)

const accountRow = (
  { account: kind, brand = null, masked }: PresentedAccount,
  { id, merchant, atMs }: Owner,
  made?: Awaited<ReturnType<Vault['seal']>>,
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
  details: JSON.stringify(masked.details),
  fingerprint: made?.fingerprint ?? null,
  fingerprint_key_id: made?.fingerprintKeyId ?? null,
  sealed: made?.sealed ?? null,
  wrapped_key: made?.wrappedKey ?? null,
  key_id: made?.keyId ?? null,
  created_at_ms: atMs,
})

/** The number of an account as the vault decrypts it; undefined once it is shredded. */
export function sealedOf({ sealed, wrapped_key: wrappedKey, key_id: keyId }: AccountRow): SealedRecord | undefined {
  return sealed && wrappedKey && keyId !== null ? { sealed, wrappedKey, keyId } : undefined
}

/** The same account without its number and the key to it: the number cannot be restored. */
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
