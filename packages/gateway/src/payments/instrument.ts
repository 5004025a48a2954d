import { brands, type BrandCode, type CardBrandCode, isBrand, isTrue, type Secret } from '@tollgate/contract'
import {
  checkCard,
  digitsText,
  type Refused,
  refused,
  type Registration,
  type Unknown,
  useRegistration,
} from '@tollgate/domain'
import type { Gateway } from '../gateway.ts'
import type { Call } from '../http/public/route.ts'
import { limits } from '../limits.ts'
import type { CardFace } from './outcome.ts'

/** A card that a payment can be made with. Its secrets live as long as the request. */
export interface CardInstrument {
  readonly kind: 'card'
  readonly brand: BrandCode
  /** Set where the brand was detected and is not the one that was sent. */
  readonly brandResult: BrandCode | undefined
  readonly number: Secret
  readonly cvv: Secret | undefined
  readonly face: CardFace
  readonly registrationId: string | undefined
  /** Erases what was decrypted for this payment only; a form's secrets are wiped with the form. */
  release(): void
}

/** Payment data that cannot be used, and why. What may be shown of it is. */
export interface UnusableInstrument {
  readonly kind: 'unusable'
  readonly why: Refused | Unknown
  readonly brand: BrandCode | undefined
  readonly face: CardFace | undefined
  readonly registrationId: string | undefined
}

export type Instrument = CardInstrument | UnusableInstrument

/** Structures of the request that carry an account which no connector of this version can charge. */
const unsupportedAccounts: ReadonlySet<string> = new Set([
  'bankAccount',
  'virtualAccount',
  'tokenAccount',
  'giftCard',
  'walletA',
  'walletB',
  'walletC',
  'pos',
])

/** What the request itself says to pay with. */
export function instrumentOfForm(call: Call): Instrument {
  const { form } = call
  const sent = form.values.get('paymentBrand')
  const number = form.secrets.get('card.number')
  const foreign = form.sent.find(({ structure }) => unsupportedAccounts.has(structure))?.structure
  if (foreign) return unusable(sent, refused('600.200.200', `no connector of this channel takes ${foreign}.*`))
  if (!number) return unusable(sent, withoutAccount(sent))
  return cardInstrument(call, sent, number, {
    expiryMonth: form.values.get('card.expiryMonth') ?? '',
    expiryYear: form.values.get('card.expiryYear') ?? '',
    holder: form.values.get('card.holder'),
  })
}

function withoutAccount(brand: string | undefined): Refused {
  if (brand === undefined || !isBrand(brand)) return refused('600.200.100', 'paymentBrand is not a known brand')
  return refused('600.200.200', `no connector of this channel takes ${brands[brand].name}`)
}

/**
 * The stored card of a registration.
 *
 * @param stored undefined where there is none, or none that the caller may see
 */
export async function instrumentOfRegistration(
  gateway: Gateway,
  call: Call,
  stored: Registration | undefined,
): Promise<Instrument> {
  const use = useRegistration(stored, call.channels[0]?.id ?? '')
  const account = stored && (await gateway.storage.account(stored.accountId))
  const brand = account?.brand ?? undefined
  if (use.kind !== 'go') return unusable(brand, use, account, stored?.id)
  if (!account?.sealed || !account.wrapped_key || account.key_id === null) {
    return unusable(
      brand,
      refused('100.150.205', 'the registration holds no account data any more'),
      account,
      stored?.id,
    )
  }
  const record = { sealed: account.sealed, wrappedKey: account.wrapped_key, keyId: account.key_id }
  const number = gateway.vault.unseal(record, { id: account.id, merchant: account.merchant })
  const sent = call.form.values.get('paymentBrand') ?? brand
  const instrument = cardInstrument(call, sent, number, {
    expiryMonth: account.expiry_month ?? '',
    expiryYear: account.expiry_year ?? '',
    holder: account.holder ?? holderInstead(call),
  })
  const release = () => number.wipe()
  if (instrument.kind === 'unusable') release()
  return { ...instrument, registrationId: stored?.id, ...(instrument.kind === 'card' && { release }) }
}

/** "overrideHolder: allows card.holder to replace an empty holder of the registration, for that payment only." */
function holderInstead({ form }: Call): string | undefined {
  return isTrue(form, 'overrideHolder') ? form.values.get('card.holder') : undefined
}

function cardInstrument(
  call: Call,
  brand: string | undefined,
  number: Secret,
  about: { readonly expiryMonth: string; readonly expiryYear: string; readonly holder: string | undefined },
): Instrument {
  const cvv = call.form.secrets.get('card.cvv')
  // Where the channel is still to be chosen by the brand, its list cannot choose the brand.
  const taken = call.channels.length === 1 ? call.channels[0]?.settings.brands : undefined
  const accepted = taken && { accepted: (candidate: CardBrandCode) => taken.has(candidate) }
  const { expiryMonth, expiryYear, holder = null } = about
  const checked = checkCard({ number, cvv, brand, expiryMonth, expiryYear }, call.atMs, accepted)
  const { bin, last4 } = checked.kind === 'card' ? checked : ends(number)
  const face = { bin, last4, holder, expiry_month: expiryMonth, expiry_year: expiryYear }
  if (checked.kind === 'refused') return unusable(brand, checked, face)
  return {
    kind: 'card',
    brand: checked.brand,
    brandResult: checked.brandResult === brand ? undefined : checked.brandResult,
    number,
    cvv,
    face,
    registrationId: undefined,
    release: () => undefined,
  }
}

function unusable(
  brand: string | undefined,
  why: Refused | Unknown,
  face?: CardFace,
  registrationId?: string,
): UnusableInstrument {
  return {
    kind: 'unusable',
    why,
    brand: brand !== undefined && isBrand(brand) ? brand : undefined,
    face,
    registrationId,
  }
}

/** The ends of a number that is no card of ours: a merchant finds the typing error by them. */
function ends(number: Secret): Pick<CardFace, 'bin' | 'last4'> {
  if (number.length < limits.shownDigitsMin) return { bin: null, last4: null }
  return number.use((digits) => ({
    bin: digitsText(digits, 0, 6),
    last4: digitsText(digits, digits.length - 4, digits.length),
  }))
}
