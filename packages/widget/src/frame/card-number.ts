import {
  brandOfPrefix,
  type CardBrandCode,
  cardBrands,
  detectBrand,
  fitsBrand,
  longestNumber,
} from '@tollgate/contract'
import { limits } from '../limits.ts'
import { isLuhn } from './luhn.ts'

/** The digit groups of a brand's cards; cards of all other brands have groups of four. */
const groups: Readonly<Partial<Record<CardBrandCode, readonly number[]>>> = {
  AMEX: [4, 6, 5],
  AXP: [4, 6, 5],
  DINERS: [4, 6, 4],
}

/** The digits in the groups of their brand, with a space between them. */
export function grouped(digits: string, brand: CardBrandCode | undefined): string {
  const sizes = (brand && digits.length <= longestGrouped(brand) && groups[brand]) || [4, 4, 4, 4, 3]
  const ends = sizes.map((_, at) => sizes.slice(0, at + 1).reduce((one, other) => one + other, 0))
  return ends
    .map((end, at) => digits.slice(ends[at - 1] ?? 0, end))
    .filter((group) => group !== '')
    .join(' ')
}

const longestGrouped = (brand: CardBrandCode): number => (groups[brand] ?? []).reduce((one, other) => one + other, 0)

/**
 * The caret's position after `count` digits of a grouped number. After the last digit of a group it is before the
 * space; the next typed digit moves it behind the space.
 */
export function caretAfter(count: number, text: string): number {
  if (count === 0) return 0
  const at = Array.from(text.matchAll(/\d/g), ({ index }) => index)[count - 1]
  return at === undefined ? text.length : at + 1
}

/** The state of the number field, derived from its digits. */
export interface NumberState {
  /** The brand of the digits so far, also of an incomplete number. */
  readonly brand: CardBrandCode | undefined
  /** The possible brands of a complete number: of two networks on one card, the shopper chooses. */
  readonly brands: readonly CardBrandCode[]
  readonly full: boolean
  /** Key of the error text. */
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
  const longest = brand ? Math.min(longestNumber(brand), limits.cardNumberDigitsMax) : limits.cardNumberDigitsMax
  const bin = digits.slice(0, 8)
  const fits = (one: CardBrandCode): boolean => fitsBrand(one, bin, digits.length)
  const main = detectBrand(bin, digits.length, isAccepted)
  const brands = main ? [main, ...accepted.filter((one) => one !== main && shares(one, main) && fits(one))] : []
  return {
    brand: chosen ?? detected,
    brands: brands.length > 0 ? brands : detected ? [detected] : [],
    full: digits.length >= longest,
    error: errorOf(digits, chosen ? fits(chosen) : main !== undefined, chosen ?? main),
  }
}

/**
 * Whether one card can have both brands: a co-brand on the numbers of its network, or the network on the numbers of a
 * local brand.
 */
const shares = (one: CardBrandCode, main: CardBrandCode): boolean =>
  cardBrands[main].networks.includes(one) || (cardBrands[one].ranges === '' && cardBrands[one].networks.includes(main))

function errorOf(digits: string, fits: boolean, brand: CardBrandCode | undefined): NumberState['error'] {
  if (digits === '') return 'errorCardNumberMissing'
  if (fits && brand) return isLuhn(digits) || !cardBrands[brand].luhn ? '' : 'errorCardNumber'
  const other = detectBrand(digits.slice(0, 8), digits.length)
  return other !== undefined && isLuhn(digits) ? 'errorBrand' : 'errorCardNumber'
}
