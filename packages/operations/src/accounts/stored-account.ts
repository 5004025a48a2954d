import type { BrandCode, Secret } from '@tollgate/contract'
import type { AccountOnFile } from '../parameters/account-on-file.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import type { MaskedAccount } from '../records/masked-account.ts'
import type { Instrument } from './instrument.ts'

/** A stored account whose number was decrypted for this request. */
export interface StoredAccount {
  readonly brand: BrandCode
  readonly number: Secret
  readonly masked: MaskedAccount
  /** Whether the number is another than the stored one: then it may tell another brand. */
  readonly replaced: boolean
}

/** Makes an instrument of a stored account of one kind, with what the request adds to it. */
export type StoredAccountReader = (request: AccountRequest<AccountOnFile>, stored: StoredAccount) => Instrument
