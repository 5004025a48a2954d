import type { Secret } from '@tollgate/contract'
import type { Call } from '../../http/public/route.ts'
import type { AccountFace } from '../account-view.ts'
import type { Instrument } from './instrument.ts'

/** How accounts of one kind are read. */
export interface AccountReader {
  /** What the request itself carries. */
  ofForm(call: Call): Instrument
  /** What was stored before, for a payment or a registration. */
  ofStored(call: Call, stored: StoredAccount): Instrument
}

/** A stored account whose number was decrypted for this request. */
export interface StoredAccount {
  readonly brand: string | undefined
  readonly number: Secret
  readonly face: AccountFace
}
