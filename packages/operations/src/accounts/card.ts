import { brands, type CardBrandCode, type Secret } from '@tollgate/contract'
import { checkCard, digitsText, refused } from '@tollgate/domain'
import { isRedirected } from './redirected.ts'
import type { Call } from '../request.ts'
import { limits } from '../limits.ts'
import { maskedAccount, type MaskedAccount } from '../records/masked-account.ts'
import { type AccountReader, holderInstead } from './account-reader.ts'
import { type CardAbout, deviceCard } from './device-card.ts'
import { type Instrument, unusable, usable } from './instrument.ts'
import { knownBrand } from './payment-brand.ts'
import { otherBrand } from './stored-brand.ts'

export const card: AccountReader = {
  ofForm(call) {
    const { values, secrets } = call.parameters
    const number = secrets.get('card.number')
    const brand = values.get('paymentBrand')
    if (!number) return withoutNumber(brand)
    return cardInstrument(call, brand, number, cardOfForm(call))
  },
  ofStored(call, stored) {
    const { brand, number, masked, replaced } = stored
    const about: CardAbout = {
      holder: masked.holder ?? holderInstead(call, 'card'),
      expiryMonth: masked.expiryMonth ?? '',
      expiryYear: masked.expiryYear ?? '',
      numberType: masked.details.numberType,
    }
    if (about.numberType !== 'DPAN') {
      return cardInstrument(
        call,
        call.parameters.values.get('paymentBrand') ?? (replaced ? undefined : brand),
        number,
        about,
      )
    }
    const why = otherBrand(call, stored, '100.100.700')
    return why ? unusable('card', brand, why, masked) : deviceCard(call, brand, number, about, { wallet: [brand] })
  },
}

/** What the card structure says besides the number. */
export const cardOfForm = ({ parameters: { values } }: Call): CardAbout => ({
  holder: values.get('card.holder'),
  expiryMonth: values.get('card.expiryMonth') ?? '',
  expiryYear: values.get('card.expiryYear') ?? '',
  numberType: values.get('card.numberType'),
})

function withoutNumber(sent: string | undefined): Instrument {
  const brand = knownBrand(sent)
  if (!brand) return unusable('card', brand, refused('600.200.100', 'paymentBrand is not a known brand'))
  // The redirect provider knows the account of the shopper.
  if (isRedirected({ brand }))
    return usable({ account: 'virtualAccount', brand, number: undefined, cvv: undefined, masked: maskedAccount({}) })
  const why = refused('600.200.200', `no connector of this channel takes ${brands[brand].name}`)
  return unusable('card', brand, why)
}

/** A card whose number, wherever it came from, has been found. */
export function cardInstrument(call: Call, brand: string | undefined, number: Secret, about: CardAbout): Instrument {
  const { holder, expiryMonth, expiryYear, numberType } = about
  if (numberType === 'DPAN') return deviceCard(call, brand, number, about)
  const cvv = call.parameters.secrets.get('card.cvv')
  // Where the channel is still to be chosen by the brand, its list cannot choose the brand.
  const taken = call.channels.length === 1 ? call.channels[0]?.settings.brands : undefined
  const accepted = taken && { accepted: (candidate: CardBrandCode) => taken.has(candidate) }
  const checked = checkCard({ number, cvv, brand, expiryMonth, expiryYear }, call.atMs, accepted)
  const { bin, last4 } = checked.kind === 'card' ? checked : ends(number)
  const details = numberType === undefined ? {} : { numberType }
  const masked = maskedAccount({ bin, last4, holder, expiryMonth, expiryYear, details })
  if (checked.kind === 'refused') return unusable('card', knownBrand(brand), checked, masked)
  const brandResult = checked.brandResult === brand ? undefined : checked.brandResult
  return usable({ account: 'card', brand: checked.brand, brandResult, number, cvv, masked })
}

/** The ends of a number that is no card of ours: a merchant finds the typing error by them. */
export function ends(number: Secret): Pick<MaskedAccount, 'bin' | 'last4'> {
  if (number.length < limits.shownDigitsMin) return { bin: null, last4: null }
  return number.use((digits) => ({
    bin: digitsText(digits, 0, 6),
    last4: digitsText(digits, digits.length - 4, digits.length),
  }))
}
