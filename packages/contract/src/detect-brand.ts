import { type CardBrandCode, isCardBrand } from './brands.ts'
import { cardBrands, otherNetworks } from './card-brands.ts'

/** Card numbers by their first eight digits, from `first` to `last`; `digits` is the length of the published prefix. */
interface Range {
  /** undefined: the network has no brand in the table of brands. */
  readonly brand: CardBrandCode | undefined
  readonly digits: number
  readonly first: number
  readonly last: number
}

const readRanges = (ranges: string, brand?: CardBrandCode): readonly Range[] =>
  ranges
    .split(' ')
    .filter((range) => range !== '')
    .map((range) => {
      const [from = '', to = from] = range.split('-')
      return { brand, digits: from.length, first: Number(from.padEnd(8, '0')), last: Number(to.padEnd(8, '9')) }
    })

const lengthsOf = (brand: CardBrandCode): ReadonlySet<number> => {
  const spans = cardBrands[brand].lengths.split(' ').map((span) => span.split('-').map(Number))
  return new Set(spans.flatMap(([from = 0, to = from]) => Array.from({ length: to - from + 1 }, (_, i) => from + i)))
}

const cardBrandCodes = Object.keys(cardBrands).filter(isCardBrand)
const lengths = new Map(cardBrandCodes.map((brand) => [brand, lengthsOf(brand)]))
/** The ranges by first digit, the most specific one first, so that the first match is the result. */
const byFirstDigit: readonly (readonly Range[])[] = Array.from({ length: 10 }, (_, digit) =>
  [...cardBrandCodes.flatMap((brand) => readRanges(cardBrands[brand].ranges, brand)), ...readRanges(otherNetworks)]
    .filter((range) => Math.floor(range.first / 1e7) <= digit && digit <= Math.floor(range.last / 1e7))
    .toSorted((a, b) => b.digits - a.digits),
)

const anyBrand = (): boolean => true

/**
 * Whether numbers between `first` and `last` belong to the brand of the range. The network of a narrower range takes
 * precedence over a residual brand, unless it is a co-brand of that brand.
 */
const belongsToBrand = ({ brand, digits }: Range, first: number, last: number): boolean =>
  brand !== undefined &&
  (!cardBrands[brand].residual ||
    (byFirstDigit[Math.floor(first / 1e7)] ?? []).every(
      (other) =>
        other.digits <= digits ||
        other.last < first ||
        other.first > last ||
        (other.brand !== undefined && cardBrands[other.brand].networks.includes(brand)),
    ))

/**
 * The brand of a card number: the brand with the longest matching prefix and a matching number of digits.
 *
 * @param bin the number's first eight digits
 * @param length digits in the whole number
 * @param accepted the accepted brands: local schemes share their ranges with their network, and a channel may accept
 *   only one of them
 */
export const detectBrand = (
  bin: string,
  length: number,
  accepted: (brand: CardBrandCode) => boolean = anyBrand,
): CardBrandCode | undefined => {
  const number = Number(bin)
  if (bin.length !== 8 || Number.isNaN(number)) return undefined
  const ranges = byFirstDigit[Math.floor(number / 1e7)] ?? []
  return ranges.find(
    (range) =>
      range.first <= number &&
      number <= range.last &&
      range.brand !== undefined &&
      lengths.get(range.brand)?.has(length) === true &&
      accepted(range.brand) &&
      belongsToBrand(range, number, number),
  )?.brand
}

/**
 * The brand of an incomplete number: as `detectBrand`, for any length. A residual brand is returned only if no further
 * digit can change the network.
 *
 * @param digits the known first digits
 * @param accepted the accepted brands
 */
export const brandOfPrefix = (
  digits: string,
  accepted: (brand: CardBrandCode) => boolean = anyBrand,
): CardBrandCode | undefined => {
  const typed = digits.slice(0, 8)
  const number = Number(typed.padEnd(8, '0'))
  const ranges = byFirstDigit[Math.floor(number / 1e7)] ?? []
  return ranges.find(
    (range) =>
      range.digits <= digits.length &&
      range.first <= number &&
      number <= range.last &&
      range.brand !== undefined &&
      accepted(range.brand) &&
      belongsToBrand(range, number, Number(typed.padEnd(8, '9'))),
  )?.brand
}

/** The maximum number of digits of a number of the brand. */
export const numberDigitsMax = (brand: CardBrandCode): number => Math.max(...(lengths.get(brand) ?? []))

/**
 * Whether a card number can be one of `brand` (contract: `paymentBrand`; else 100.100.700). A co-brand also accepts the
 * numbers of its networks. A brand with neither published ranges nor networks accepts every number of its length.
 *
 * @param bin the number's first eight digits
 * @param length digits in the whole number
 */
export const fitsBrand = (brand: CardBrandCode, bin: string, length: number): boolean => {
  const { ranges, networks } = cardBrands[brand]
  if (ranges === '' && networks.length === 0) return lengths.get(brand)?.has(length) === true
  return detectBrand(bin, length, (candidate) => candidate === brand || networks.includes(candidate)) !== undefined
}
