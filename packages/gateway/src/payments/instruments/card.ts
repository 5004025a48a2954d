import { brands, type CardBrandCode, isBrand, isTrue, type Secret } from '@tollgate/contract'
import { checkCard, digitsText, type Refused, refused } from '@tollgate/domain'
import type { Call } from '../../http/public/route.ts'
import { limits } from '../../limits.ts'
import type { AccountFace } from '../account-view.ts'
import type { AccountReader } from './account-reader.ts'
import { type Instrument, ownedByForm, unusable } from './instrument.ts'

export const card: AccountReader = {
  ofForm(call) {
    const { values, secrets } = call.form
    const number = secrets.get('card.number')
    const brand = values.get('paymentBrand')
    if (!number) return unusable('card', known(brand), withoutNumber(brand))
    return cardInstrument(call, brand, number, {
      holder: values.get('card.holder'),
      expiryMonth: values.get('card.expiryMonth') ?? '',
      expiryYear: values.get('card.expiryYear') ?? '',
    })
  },
  ofStored: (call, { brand, number, face }) =>
    cardInstrument(call, call.form.values.get('paymentBrand') ?? brand, number, {
      holder: face.holder ?? holderInstead(call),
      expiryMonth: face.expiryMonth ?? '',
      expiryYear: face.expiryYear ?? '',
    }),
}

const known = (brand: string | undefined) => (brand !== undefined && isBrand(brand) ? brand : undefined)

function withoutNumber(brand: string | undefined): Refused {
  if (brand === undefined || !isBrand(brand)) return refused('600.200.100', 'paymentBrand is not a known brand')
  return refused('600.200.200', `no connector of this channel takes ${brands[brand].name}`)
}

/** "overrideHolder: allows card.holder to replace an empty holder of the registration, for that payment only." */
function holderInstead({ form }: Call): string | undefined {
  return isTrue(form, 'overrideHolder') ? form.values.get('card.holder') : undefined
}

/** A card whose number, wherever it came from, has been found. */
function cardInstrument(
  call: Call,
  brand: string | undefined,
  number: Secret,
  about: { readonly holder: string | undefined; readonly expiryMonth: string; readonly expiryYear: string },
): Instrument {
  const cvv = call.form.secrets.get('card.cvv')
  // Where the channel is still to be chosen by the brand, its list cannot choose the brand.
  const taken = call.channels.length === 1 ? call.channels[0]?.settings.brands : undefined
  const accepted = taken && { accepted: (candidate: CardBrandCode) => taken.has(candidate) }
  const { holder = null, expiryMonth, expiryYear } = about
  const checked = checkCard({ number, cvv, brand, expiryMonth, expiryYear }, call.atMs, accepted)
  const { bin, last4 } = checked.kind === 'card' ? checked : ends(number)
  const face: AccountFace = { bin, last4, holder, expiryMonth, expiryYear, details: {} }
  if (checked.kind === 'refused') return unusable('card', known(brand), checked, face)
  return {
    kind: 'usable',
    account: 'card',
    brand: checked.brand,
    brandResult: checked.brandResult === brand ? undefined : checked.brandResult,
    number,
    cvv,
    face,
    registrationId: undefined,
    release: ownedByForm,
  }
}

/** The ends of a number that is no card of ours: a merchant finds the typing error by them. */
export function ends(number: Secret): Pick<AccountFace, 'bin' | 'last4'> {
  if (number.length < limits.shownDigitsMin) return { bin: null, last4: null }
  return number.use((digits) => ({
    bin: digitsText(digits, 0, 6),
    last4: digitsText(digits, digits.length - 4, digits.length),
  }))
}
