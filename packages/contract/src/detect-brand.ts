import { type CardBrandCode, isCardBrand } from './brands.ts'
import { cardBrands } from './card-brands.ts'

/** Numbers whose first eight digits lie between `first` and `last`, of `digits` published leading digits. */
interface Range {
  readonly brand: CardBrandCode
  readonly digits: number
  readonly first: number
  readonly last: number
}

const rangesOf = (brand: CardBrandCode): readonly Range[] =>
  cardBrands[brand].ranges
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
/** The most specific range first, so that the first hit is the answer. By first digit, to look at few of them. */
const byFirstDigit: readonly (readonly Range[])[] = Array.from({ length: 10 }, (_, digit) =>
  cardBrandCodes
    .flatMap(rangesOf)
    .filter((range) => Math.floor(range.first / 1e7) <= digit && digit <= Math.floor(range.last / 1e7))
    .toSorted((a, b) => b.digits - a.digits),
)

const anyBrand = (): boolean => true

/**
 * The brand that a card number belongs to: the one with the longest matching prefix, and a fitting number of digits.
 *
 * @param bin the number's first eight digits
 * @param length digits in the whole number
 * @param accepted which brands come into question. Local schemes share their ranges with the network that they ride
 *   on: a channel that takes only one of the two says so here
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
    ({ brand, first, last }) =>
      first <= number && number <= last && lengths.get(brand)?.has(length) === true && accepted(brand),
  )?.brand
}

/**
 * The brand that a number which is still being typed seems to belong to: as `detectBrand`, whatever its length.
 *
 * @param digits the first digits, as many as there are
 * @param accepted which brands come into question
 */
export const brandOfPrefix = (
  digits: string,
  accepted: (brand: CardBrandCode) => boolean = anyBrand,
): CardBrandCode | undefined => {
  const number = Number(digits.slice(0, 8).padEnd(8, '0'))
  const ranges = byFirstDigit[Math.floor(number / 1e7)] ?? []
  return ranges.find(
    (range) => range.digits <= digits.length && range.first <= number && number <= range.last && accepted(range.brand),
  )?.brand
}

/** The most digits that a number of the brand has. */
export const longestNumber = (brand: CardBrandCode): number => Math.max(...(lengths.get(brand) ?? []))

/**
 * Whether a card number can be one of `brand` (contract: `paymentBrand`; else 100.100.700). A brand without published
 * ranges accepts every number of its length; a co-brand also accepts the numbers of its networks.
 *
 * @param bin the number's first eight digits
 * @param length digits in the whole number
 */
export const fitsBrand = (brand: CardBrandCode, bin: string, length: number): boolean => {
  const { ranges, networks } = cardBrands[brand]
  if (ranges === '' && networks.length === 0) return lengths.get(brand)?.has(length) === true
  return detectBrand(bin, length, (candidate) => candidate === brand || networks.includes(candidate)) !== undefined
}
