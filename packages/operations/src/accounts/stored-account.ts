import type { BrandCode, Secret } from '@tollgate/contract'
import type { AccountOnFile } from '../parameters/account-on-file.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import type { MaskedAccount } from '../records/masked-account.ts'
import type { Instrument } from './instrument.ts'

/** A stored account with its number, which was decrypted for this request, or sent in it to replace the stored one. */
export interface StoredAccount {
  readonly brand: BrandCode
  readonly number: Secret
  readonly masked: MaskedAccount
  /** Whether the request replaces the stored number, so that the brand may differ, too. */
  readonly isNumberReplaced: boolean
}

/** Makes an instrument from a stored account of one kind and the parameters of the request. */
export type StoredAccountReader = (request: AccountRequest<AccountOnFile>, stored: StoredAccount) => Instrument
