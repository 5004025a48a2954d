import { threeDSecureCards } from '@tollgate/connectors'
import { type BrandCode, isCardBrand } from '@tollgate/contract'
import { eciOf } from '@tollgate/three-d-secure'

/**
 * The electronic commerce indicator (ECI) of a status. The indicators of the test cards take precedence: UnionPay test
 * cards have those of Mastercard, and test cards with status N those of an attempt.
 */
export function simulatedEciOf(brand: BrandCode, status: 'Y' | 'A' | 'U' | 'N' | 'R' | 'I'): string | undefined {
  if (status === 'U') return undefined
  const row = threeDSecureCards.find((card) => card.brand === brand && card.transactionStatus === status)
  return row?.eci ?? (isCardBrand(brand) ? eciOf(brand, status) : undefined)
}
