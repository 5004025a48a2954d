import { InvariantError, Secret } from '@tollgate/contract'
import type { MerchantTermsRow } from '@tollgate/storage'
import type { Vault } from '@tollgate/vault'

type RowKey = Pick<MerchantTermsRow, 'entity_id' | 'starts_at_ms'>

/** The columns of the number of the account in terms. */
export type AccountNumberColumns = Pick<MerchantTermsRow, 'sealed' | 'wrapped_key' | 'key_id'>

export const noAccountNumber: AccountNumberColumns = { sealed: null, wrapped_key: null, key_id: null }

/** Encrypts an account number, which is bound to the row of its terms. */
export async function sealAccountNumber(vault: Vault, row: RowKey, iban: string): Promise<AccountNumberColumns> {
  const number = new Secret(Buffer.from(iban, 'ascii'))
  const { sealed, wrappedKey, keyId } = await vault.sealCredentials(number, ownerOf(row)).finally(() => number.wipe())
  return { sealed, wrapped_key: wrappedKey, key_id: keyId }
}

/**
 * Decrypts the account number of terms; the caller wipes it.
 *
 * @returns undefined if the terms have none
 * @throws VaultError if the keys do not open it
 */
export const openAccountNumber = (vault: Vault, row: MerchantTermsRow): Secret | undefined =>
  row.sealed ? vault.unseal(sealedIn(row), ownerOf(row)) : undefined

/** The row with its account number wrapped under the vault's current key. */
export function rewrappedTerms(vault: Vault, row: MerchantTermsRow): MerchantTermsRow {
  const { wrappedKey, keyId } = vault.rewrap(sealedIn(row))
  return { ...row, wrapped_key: wrappedKey, key_id: keyId }
}

function sealedIn({ entity_id: id, sealed, wrapped_key: wrappedKey, key_id: keyId }: MerchantTermsRow) {
  if (!sealed || !wrappedKey || keyId === null) throw new InvariantError('terms have an incomplete number', id)
  return { sealed, wrappedKey, keyId }
}

/** No merchant has this id, because ids have 32 digits. */
const ownerOf = ({ entity_id: entityId, starts_at_ms: startsAtMs }: RowKey) => ({
  id: `${entityId}.${startsAtMs}`,
  merchant: 'payouts',
})
