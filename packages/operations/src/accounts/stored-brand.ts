import type { ResultCode } from '@tollgate/contract'
import { type Refused, refused } from '@tollgate/domain'
import type { Call } from '../request.ts'
import type { StoredAccount } from './account-reader.ts'

/**
 * Where a number tells no brand, only the one that it was stored with will do.
 *
 * @param code of a wrong brand of this kind of account
 */
export function otherBrand({ parameters }: Call, { brand }: StoredAccount, code: ResultCode): Refused | undefined {
  const sent = parameters.values.get('paymentBrand')
  if (sent === undefined || sent === brand) return undefined
  return refused(code, 'paymentBrand is not the one that the account was stored with')
}
