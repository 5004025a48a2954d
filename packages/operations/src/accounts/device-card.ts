import type { Secret } from '@tollgate/contract'
import { checkPaymentToken, type TokenTerms } from '@tollgate/domain'
import type { AccountRequest } from '../parameters/account-request.ts'
import { knownBrand } from '../parameters/payment-brand.ts'
import { type AccountDetails, maskedAccount } from '../records/masked-account.ts'
import { type Instrument, unusable, usable } from './instrument.ts'
import { tailOf } from './last-four.ts'

/** The fields of a card except its number. */
export interface CardAbout {
  readonly holder: string | undefined
  /** 01 to 12, and four digits. */
  readonly expiryMonth: string | undefined
  readonly expiryYear: string | undefined
  /** PAN, DPAN, or not stated. */
  readonly numberType: AccountDetails[string]
  readonly cvv: Secret | undefined
}

/**
 * A card by a device account number (DPAN): its brand must be sent, and its first six digits are never shown, because
 * they do not identify the issuer.
 */
export function deviceCard(
  { atMs }: AccountRequest,
  brand: string | undefined,
  number: Secret,
  about: CardAbout,
  terms?: TokenTerms,
): Instrument {
  const { holder, expiryMonth = '', expiryYear = '', cvv } = about
  const checked = checkPaymentToken({ number, brand, source: 'network', expiryMonth, expiryYear }, atMs, terms)
  const details = { numberType: 'DPAN' }
  const masked = maskedAccount({ last4: tailOf(number), holder, expiryMonth, expiryYear, details })
  if (checked.kind === 'refused') return unusable('card', knownBrand(brand), checked, masked)
  return usable({ account: 'card', brand: checked.brand, number, cvv, masked })
}
