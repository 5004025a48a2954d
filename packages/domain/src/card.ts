import { type CardBrandCode, cardBrands, detectBrand, fitsBrand, isCardBrand, type Secret } from '@tollgate/contract'
import { type Refused, refused } from './guard.ts'
import { limits } from './limits.ts'

/** A card of a request. Its parameters are well-formed. */
export interface Card {
  /** 8 to 32 ASCII digits. */
  readonly number: Secret
  /** 01 to 12. */
  readonly expiryMonth: string
  /** Four digits. */
  readonly expiryYear: string
  /** 3 or 4 ASCII digits. */
  readonly cvv?: Secret | undefined
  /** paymentBrand; detected from the number if not sent. */
  readonly brand?: string | undefined
}

/** Requirements of the payment on its card. */
export interface CardRequirements {
  /** Whether the cvv is required. */
  readonly isCvvRequired?: boolean
  /** Brands that the channel accepts: of two brands with the same number range, the accepted one is detected. */
  readonly accepted?: (brand: CardBrandCode) => boolean
}

/** The data of a valid card that may be stored and shown. */
export interface CheckedCard {
  readonly kind: 'card'
  /** First six digits. */
  readonly bin: string
  readonly last4: string
  readonly brand: CardBrandCode
  /** "Detected brand" (contract, brandResult). It may differ from the `brand` sent for a co-branded card. */
  readonly brandResult: CardBrandCode | undefined
}

/**
 * Checks the data of a card.
 *
 * @param nowMs epoch milliseconds
 * @returns the card; or, in this order: 100.100.101 wrong length or check digit, .500 brand neither sent nor detected,
 * .501 no card brand, .700 number of another brand, .303 expired, .600 cvv missing, .601 cvv of another length than the
 * brand's
 */
export function checkCard(card: Card, nowMs: number, requirements: CardRequirements = {}): CheckedCard | Refused {
  const { length, bin8, last4, isCheckDigitValid } = card.number.use(readCardNumber)
  if (length < limits.cardNumberLengthMin || length > limits.cardNumberLengthMax) {
    return refused('100.100.101', 'card.number has more or fewer digits than a card can have')
  }
  const brandResult = detectBrand(bin8, length, requirements.accepted) ?? detectBrand(bin8, length)
  const brand = card.brand ?? brandResult
  const needsLuhn = brand === undefined || !isCardBrand(brand) || cardBrands[brand].luhn
  if (needsLuhn && !isCheckDigitValid) return refused('100.100.101', 'card.number has a wrong check digit')
  if (brand === undefined)
    return refused('100.100.500', 'the brand cannot be detected from card.number: send paymentBrand')
  if (!isCardBrand(brand)) return refused('100.100.501', 'paymentBrand is not a card brand')
  if (!fitsBrand(brand, bin8, length)) return refused('100.100.700', 'card.number is not a number of this paymentBrand')
  if (nowMs >= cardExpiresAtMs(card)) return refused('100.100.303', 'the card has expired')
  const cvv = checkCvv(card, brand, requirements)
  return cvv ?? { kind: 'card', bin: bin8.slice(0, 6), last4, brand, brandResult }
}

/** The end of the expiry month, epoch milliseconds, with the tolerance of `limits`. */
export const cardExpiresAtMs = ({ expiryMonth, expiryYear }: Pick<Card, 'expiryMonth' | 'expiryYear'>): number =>
  Date.UTC(Number(expiryYear), Number(expiryMonth)) + limits.cardExpiryToleranceMs

function checkCvv(
  { cvv }: Card,
  brand: CardBrandCode,
  { isCvvRequired = false }: CardRequirements,
): Refused | undefined {
  if (!cvv) return isCvvRequired ? refused('100.100.600', 'card.cvv is missing') : undefined
  const { cvvLength } = cardBrands[brand]
  return cvv.length === cvvLength ? undefined : refused('100.100.601', `card.cvv must have ${cvvLength} digits`)
}

const ZERO = 0x30

/**
 * Reads the length, the first eight digits, the last four digits and the validity of the check digit of a card number
 * or token number. No other digits become strings, because strings cannot be wiped.
 */
export const readCardNumber = (digits: Uint8Array) => ({
  length: digits.length,
  bin8: digitsText(digits, 0, 8),
  last4: digitsText(digits, digits.length - 4, digits.length),
  isCheckDigitValid: isLuhn(digits),
})

/**
 * The digits from `start` up to, but not including, `end` as text. One call of `String.fromCharCode` per digit is ten
 * times as fast as one call with all digits.
 */
export function digitsText(digits: Uint8Array, start: number, end: number): string {
  let text = ''
  for (let i = Math.max(0, start); i < end && i < digits.length; i += 1) text += String.fromCharCode(digits[i] ?? 0)
  return text
}

/**
 * Whether the last digit is the check digit of the preceding digits (ISO/IEC 7812-1, annex B).
 *
 * @param digits ASCII digits; with any other byte the result is false
 */
export function isLuhn(digits: Uint8Array): boolean {
  let sum = 0
  for (let position = 0; position < digits.length; position += 1) {
    const digit = (digits[digits.length - 1 - position] ?? 0) - ZERO
    if (digit < 0 || digit > 9) return false
    const weighted = position % 2 === 0 ? digit : digit * 2
    sum += weighted > 9 ? weighted - 9 : weighted
  }
  return digits.length > 0 && sum % 10 === 0
}
