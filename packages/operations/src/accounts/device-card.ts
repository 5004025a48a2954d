import type { Secret } from '@tollgate/contract'
import { checkPaymentToken, type TokenRequirements } from '@tollgate/domain'
import type { AccountRequest } from '../parameters/account-request.ts'
import { knownBrand } from '../parameters/payment-brand.ts'
import { type AccountDetails, maskedAccount } from '../records/masked-account.ts'
import { type Instrument, unusable, usable } from './instrument.ts'
import { lastFourOf } from './last-four.ts'

/** The fields of a card except its number. */
export interface CardFields {
  readonly holder: string | undefined
  /** 01 to 12. */
  readonly expiryMonth: string | undefined
  /** Four digits. */
  readonly expiryYear: string | undefined
  /** PAN or DPAN; undefined: not sent. */
  readonly numberType: AccountDetails[string]
  readonly cvv: Secret | undefined
}

/**
 * The instrument of a card with a device account number (DPAN). The first digits of the number identify neither brand
 * nor issuer, so the brand is not detected, and the first digits are never shown.
 */
export function deviceCard(
  { atMs }: AccountRequest,
  brand: string | undefined,
  number: Secret,
  fields: CardFields,
  requirements?: TokenRequirements,
): Instrument {
  const { holder, expiryMonth = '', expiryYear = '', cvv } = fields
  const checked = checkPaymentToken({ number, brand, source: 'network', expiryMonth, expiryYear }, atMs, requirements)
  const details = { numberType: 'DPAN' }
  const masked = maskedAccount({ last4: lastFourOf(number), holder, expiryMonth, expiryYear, details })
  if (checked.kind === 'refused') return unusable('card', knownBrand(brand), checked, masked)
  return usable({ account: 'card', brand: checked.brand, number, cvv, masked })
}
