import {
  brandOfPrefix,
  type CardBrandCode,
  cardBrands,
  detectBrand,
  fitsBrand,
  numberDigitsMax,
} from '@tollgate/contract'
import { limits } from '../limits.ts'
import { isLuhn } from './luhn.ts'

/** The digit groups of a brand's cards; cards of all other brands have groups of four. */
const groups: Readonly<Partial<Record<CardBrandCode, readonly number[]>>> = {
  AMEX: [4, 6, 5],
  AXP: [4, 6, 5],
  DINERS: [4, 6, 4],
}

/** The digits in the groups of their brand, with a space between the groups. */
export function groupDigits(digits: string, brand: CardBrandCode | undefined): string {
  const sizes = (brand && digits.length <= groupedDigitsMax(brand) && groups[brand]) || [4, 4, 4, 4, 3]
  const ends = sizes.map((_, index) => sizes.slice(0, index + 1).reduce((sum, size) => sum + size, 0))
  return ends
    .map((end, index) => digits.slice(ends[index - 1] ?? 0, end))
    .filter((group) => group !== '')
    .join(' ')
}

const groupedDigitsMax = (brand: CardBrandCode): number => (groups[brand] ?? []).reduce((sum, size) => sum + size, 0)

/**
 * The caret's position after `count` digits of a grouped number. After the last digit of a group the caret is before
 * the space; the next typed digit moves it behind the space.
 */
export function caretAfter(count: number, text: string): number {
  if (count === 0) return 0
  const digitIndex = Array.from(text.matchAll(/\d/g), ({ index }) => index)[count - 1]
  return digitIndex === undefined ? text.length : digitIndex + 1
}

/** The state of the number field, derived from its digits. */
export interface NumberState {
  /** The brand that the shopper chose, otherwise the brand of the typed digits, also of an incomplete number. */
  readonly brand: CardBrandCode | undefined
  /**
   * The possible brands of the number; of an incomplete number only the detected one. If the card has two networks, the
   * shopper chooses the brand.
   */
  readonly brands: readonly CardBrandCode[]
  /** Whether no more digits fit. */
  readonly isFull: boolean
  /** Key of the error text; empty if the number is valid. */
  readonly error: '' | 'errorCardNumber' | 'errorCardNumberMissing' | 'errorBrand'
}

/**
 * @param digits typed so far
 * @param accepted brands of the form
 * @param chosen the brand that the shopper selected, if any
 */
export function numberState(
  digits: string,
  accepted: readonly CardBrandCode[],
  chosen: CardBrandCode | undefined,
): NumberState {
  const isAccepted = (brand: CardBrandCode): boolean => accepted.includes(brand)
  const detected = brandOfPrefix(digits, isAccepted)
  const brand = chosen ?? detected ?? brandOfPrefix(digits)
  const longest = brand ? Math.min(numberDigitsMax(brand), limits.cardNumberDigitsMax) : limits.cardNumberDigitsMax
  const bin = digits.slice(0, 8)
  const isNumberOf = (candidate: CardBrandCode): boolean => fitsBrand(candidate, bin, digits.length)
  const mainBrand = detectBrand(bin, digits.length, isAccepted)
  const coBrands = accepted.filter(
    (candidate) => mainBrand && candidate !== mainBrand && canShareCard(candidate, mainBrand) && isNumberOf(candidate),
  )
  const brands = mainBrand ? [mainBrand, ...coBrands] : []
  return {
    brand: chosen ?? detected,
    brands: brands.length > 0 ? brands : detected ? [detected] : [],
    isFull: digits.length >= longest,
    error: errorOf(digits, chosen ? isNumberOf(chosen) : mainBrand !== undefined, chosen ?? mainBrand),
  }
}

/**
 * Whether one card can have both brands: a co-brand on the numbers of its network, or the network on the numbers of a
 * local brand.
 */
const canShareCard = (brand: CardBrandCode, mainBrand: CardBrandCode): boolean =>
  cardBrands[mainBrand].networks.includes(brand) ||
  (cardBrands[brand].ranges === '' && cardBrands[brand].networks.includes(mainBrand))

function errorOf(digits: string, isNumberOfBrand: boolean, brand: CardBrandCode | undefined): NumberState['error'] {
  if (digits === '') return 'errorCardNumberMissing'
  if (isNumberOfBrand && brand) return isLuhn(digits) || !cardBrands[brand].luhn ? '' : 'errorCardNumber'
  const unacceptedBrand = detectBrand(digits.slice(0, 8), digits.length)
  return unacceptedBrand !== undefined && isLuhn(digits) ? 'errorBrand' : 'errorCardNumber'
}
