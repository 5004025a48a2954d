import type { BrandCode, ResultCode } from '@tollgate/contract'
import { type Refused, refused } from '../guard.ts'

/**
 * The refusal of a brand other than the stored brand, for an account whose brand cannot be detected from its number.
 *
 * @param sent paymentBrand
 * @param code result code for a wrong brand of this kind of account
 */
export function storedBrandRefusal(sent: string | undefined, stored: BrandCode, code: ResultCode): Refused | undefined {
  if (sent === undefined || sent === stored) return undefined
  return refused(code, 'paymentBrand differs from the brand of the stored account')
}
