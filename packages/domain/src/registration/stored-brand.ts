import type { BrandCode, ResultCode } from '@tollgate/contract'
import { type Refused, refused } from '../guard.ts'

/**
 * A number without a detectable brand accepts only the brand that it was stored with.
 *
 * @param sent paymentBrand
 * @param code for a wrong brand of this kind of account
 */
export function storedBrandRefusal(sent: string | undefined, stored: BrandCode, code: ResultCode): Refused | undefined {
  if (sent === undefined || sent === stored) return undefined
  return refused(code, 'paymentBrand is not the one that the account was stored with')
}
