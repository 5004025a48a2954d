import { brands, type CardBrandCode, type Secret } from '@tollgate/contract'
import { checkCard, digitsText, refused, storedBrandRefusal } from '@tollgate/domain'
import { limits } from '../limits.ts'
import type { SentCard } from '../parameters/account.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import { knownBrand } from '../parameters/payment-brand.ts'
import { type MaskedAccount, maskedAccount } from '../records/masked-account.ts'
import { type CardFields, deviceCard } from './device-card.ts'
import { type Instrument, unusable, usable } from './instrument.ts'
import { isRedirected } from './redirected.ts'
import type { StoredAccountReader } from './stored-account.ts'

/** The instrument of a card in a request. Without a number it is usable only with a redirect brand. */
export function sentCard(request: AccountRequest, card: SentCard): Instrument {
  const { paymentBrand } = request.purpose
  return card.number ? cardInstrument(request, paymentBrand, card.number, card) : cardWithoutNumber(paymentBrand)
}

export const storedCard: StoredAccountReader = (request, stored) => {
  const { brand, number, masked, isNumberReplaced } = stored
  const fields: CardFields = {
    holder: masked.holder ?? request.account.cardHolder,
    expiryMonth: masked.expiryMonth ?? undefined,
    expiryYear: masked.expiryYear ?? undefined,
    numberType: masked.details.numberType,
    cvv: request.account.cvv,
  }
  if (fields.numberType !== 'DPAN') {
    const cardBrand = request.purpose.paymentBrand ?? (isNumberReplaced ? undefined : brand)
    return cardInstrument(request, cardBrand, number, fields)
  }
  const refusal = storedBrandRefusal(request.purpose.paymentBrand, brand, '100.100.700')
  if (refusal) return unusable('card', brand, refusal, masked)
  return deviceCard(request, brand, number, fields, { wallet: [brand] })
}

function cardWithoutNumber(paymentBrand: string | undefined): Instrument {
  const brand = knownBrand(paymentBrand)
  if (!brand) return unusable('card', brand, refused('600.200.100', 'paymentBrand is not a known brand'))
  // The shopper's account is selected on the provider's page.
  if (isRedirected({ brand }))
    return usable({ account: 'virtualAccount', brand, number: undefined, cvv: undefined, masked: maskedAccount({}) })
  const refusal = refused('600.200.200', `no connector of this channel takes ${brands[brand].name}`)
  return unusable('card', brand, refusal)
}

/** The instrument of a sent or stored card with a number. */
export function cardInstrument(
  request: AccountRequest,
  brand: string | undefined,
  number: Secret,
  fields: CardFields,
): Instrument {
  const { holder, expiryMonth = '', expiryYear = '', numberType, cvv } = fields
  if (numberType === 'DPAN') return deviceCard(request, brand, number, fields)
  const { atMs, channels } = request
  // With several channels, the brand selects the channel, so the accepted brands of one channel cannot affect the
  // detection of the brand.
  const acceptedBrands = channels.length === 1 ? channels[0]?.settings.brands : undefined
  const requirements = acceptedBrands && { accepted: (candidate: CardBrandCode) => acceptedBrands.has(candidate) }
  const checked = checkCard({ number, cvv, brand, expiryMonth, expiryYear }, atMs, requirements)
  const { bin, last4 } = checked.kind === 'card' ? checked : shownDigits(number)
  const details = numberType === undefined ? {} : { numberType }
  const masked = maskedAccount({ bin, last4, holder, expiryMonth, expiryYear, details })
  if (checked.kind === 'refused') return unusable('card', knownBrand(brand), checked, masked)
  const brandResult = checked.brandResult === brand ? undefined : checked.brandResult
  return usable({ account: 'card', brand: checked.brand, brandResult, number, cvv, masked })
}

/**
 * The first six and last four digits of the number of a card that is refused or, in a risk check, was not validated. By
 * these digits a merchant can find a typing error. null if the number is too short to show them.
 */
export function shownDigits(number: Secret): Pick<MaskedAccount, 'bin' | 'last4'> {
  if (number.length < limits.shownDigitsMin) return { bin: null, last4: null }
  return number.use((digits) => ({
    bin: digitsText(digits, 0, 6),
    last4: digitsText(digits, digits.length - 4, digits.length),
  }))
}
