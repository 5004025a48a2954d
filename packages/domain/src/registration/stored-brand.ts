import type { BrandCode, ResultCode } from '@tollgate/contract'
import { type Refused, refused } from '../guard.ts'

/**
 * Where a number tells no brand, only the one that it was stored with will do.
 *
 * @param sent paymentBrand
 * @param code of a wrong brand of this kind of account
 */
export function storedBrandRefusal(sent: string | undefined, stored: BrandCode, code: ResultCode): Refused | undefined {
  if (sent === undefined || sent === stored) return undefined
  return refused(code, 'paymentBrand is not the one that the account was stored with')
}
