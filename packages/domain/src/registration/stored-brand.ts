import type { BrandCode, ResultCode } from '@tollgate/contract'
import { type Refused, refused } from '../guard.ts'

/**
 * The refusal of another brand than the stored one, for an account whose brand cannot be detected from its number.
 *
 * @param sent paymentBrand
 * @param code for a wrong brand of this kind of account
 */
export function storedBrandRefusal(sent: string | undefined, stored: BrandCode, code: ResultCode): Refused | undefined {
  if (sent === undefined || sent === stored) return undefined
  return refused(code, 'paymentBrand differs from the brand of the stored account')
}
