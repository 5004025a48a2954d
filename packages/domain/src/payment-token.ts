import { type BrandCode, cardBrands, isBrand, isCardBrand, type Secret } from '@tollgate/contract'
import { cardExpiresAtMs, readCardNumber } from './card.ts'
import { type Refused, refused } from './guard.ts'
import { limits } from './limits.ts'

/**
 * A substitute for a card number: a network token, a device account number (DPAN), or the token of another provider.
 * Its leading digits are not those of the card: they identify neither brand nor issuer.
 */
export interface PaymentToken {
  /** ASCII digits. */
  readonly number: Secret
  /** paymentBrand */
  readonly brand: string | undefined
  /** network: issued by a card network, with the check digit of its brand, if any. provider: by another provider. */
  readonly source: 'network' | 'provider'
  /** 01 to 12, and four digits, where the token has an expiry date. */
  readonly expiryMonth?: string | undefined
  readonly expiryYear?: string | undefined
  /** "EMV-based dynamic data" (contract, Token account): valid for this payment only. */
  readonly cryptogram?: Secret | undefined
  /** "Dynamic token verification code": used instead of a cvv. */
  readonly dtvc?: Secret | undefined
}

/** Requirements of the payment on its token. */
export interface TokenRequirements {
  /** Brands of the token's wallet, which may be sent in place of the card's brand. */
  readonly wallet?: readonly BrandCode[]
  /** Whether a cryptogram or dtvc must prove that the shopper has the token now. */
  readonly isProofRequired?: boolean
}

/** The data of a valid token that may be stored and shown. */
export interface CheckedToken {
  readonly kind: 'token'
  readonly last4: string
  readonly brand: BrandCode
}

/**
 * Checks the data of a token.
 *
 * @param nowMs epoch milliseconds
 * @returns the token; or, in this order: 100.100.500 brand missing, .501 brand neither a card brand nor the wallet's,
 * .101 invalid number, .303 expired, 100.370.125 invalid cryptogram, 200.100.401 neither cryptogram nor dtvc
 */
export function checkPaymentToken(
  token: PaymentToken,
  nowMs: number,
  requirements: TokenRequirements = {},
): CheckedToken | Refused {
  const { number, source, cryptogram, dtvc } = token
  const checked = checkCardBrand(token.brand, requirements.wallet)
  if (checked.kind === 'refused') return checked
  const { brand } = checked
  const { length, last4, isCheckDigitValid } = number.use(readCardNumber)
  if (length < limits.tokenLengthMin || length > limits.cardNumberLengthMax) {
    return refused('100.100.101', 'the token has more or fewer digits than a token can have')
  }
  const needsLuhn = source === 'network' && (!isCardBrand(brand) || cardBrands[brand].luhn)
  if (needsLuhn && !isCheckDigitValid) return refused('100.100.101', 'the token has a wrong check digit')
  if (hasExpired(token, nowMs)) return refused('100.100.303', 'the token has expired')
  if (cryptogram && !cryptogram.use(isBase64)) {
    return refused('100.370.125', 'the cryptogram must be base64: 28 or 32 characters, padding only at the end')
  }
  if (requirements.isProofRequired === true && !cryptogram && !dtvc) {
    return refused('200.100.401', 'the shopper pays with a network token: send its cryptogram or its dtvc')
  }
  return { kind: 'token', last4, brand }
}

/**
 * Checks the brand of an account whose number does not identify the brand.
 *
 * @param additional further accepted brands, which are not card brands
 * @returns the brand; or 100.100.500 brand missing, .501 brand not accepted
 */
export function checkCardBrand(
  brand: string | undefined,
  additional: readonly BrandCode[] = [],
): { readonly kind: 'brand'; readonly brand: BrandCode } | Refused {
  if (brand === undefined)
    return refused('100.100.500', 'the brand cannot be detected from the number: send paymentBrand')
  if (isBrand(brand) && (isCardBrand(brand) || additional.includes(brand))) return { kind: 'brand', brand }
  return refused('100.100.501', 'paymentBrand is not a card brand')
}

function hasExpired({ expiryMonth, expiryYear }: PaymentToken, nowMs: number): boolean {
  if (expiryMonth === undefined || expiryYear === undefined) return false
  return nowMs >= cardExpiresAtMs({ expiryMonth, expiryYear })
}

/**
 * Whether a text consists of one or more groups of four characters of base64 or base64url (RFC 4648, 4 and 5), with
 * padding only at the end.
 *
 * @param text ASCII
 */
export function isBase64(text: Uint8Array): boolean {
  const firstPadding = text.indexOf(PADDING)
  const end = firstPadding === -1 ? text.length : firstPadding
  return (
    text.length > 0 &&
    text.length % 4 === 0 &&
    text.length - end <= 2 &&
    text.every((code, index) => (index < end ? base64Characters.has(code) : code === PADDING))
  )
}

const PADDING = 0x3d
const base64Characters = new Set(
  new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_'),
)
