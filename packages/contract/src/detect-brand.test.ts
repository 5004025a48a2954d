import creditCardType from 'credit-card-type'
import { expect, test } from 'vitest'
import type { CardBrandCode } from './brands.ts'
import { cardBrands } from './card-brands.ts'
import { brandOfPrefix, detectBrand, fitsBrand, numberDigitsMax } from './detect-brand.ts'

test.each<[string, string, number, CardBrandCode | undefined]>([
  ['Visa', '41111111', 16, 'VISA'],
  ['Visa of 13 digits', '42222222', 13, 'VISA'],
  ['Visa of 19 digits', '42222222', 19, 'VISA'],
  ['Visa of 15 digits', '42222222', 15, undefined],
  ['Mastercard', '54545454', 16, 'MASTER'],
  ['Mastercard, lowest of the second series', '22210000', 16, 'MASTER'],
  ['Mastercard, highest of the second series', '27209999', 16, 'MASTER'],
  ['below the second series', '22209999', 16, undefined],
  ['above the second series', '27210000', 16, undefined],
  ['American Express', '37828224', 15, 'AMEX'],
  ['American Express, too long', '37828224', 16, undefined],
  ['Diners Club', '30569309', 14, 'DINERS'],
  ['Discover', '60111111', 16, 'DISCOVER'],
  ['JCB', '35301113', 16, 'JCB'],
  ['Maestro', '67999900', 19, 'MAESTRO'],
  ['UnionPay', '62000000', 19, 'UNIONPAY'],
  ['mada on a Visa range', '44640400', 16, 'MADA'],
  ['mada on a Mastercard range', '53602301', 16, 'MADA'],
  ['Elo on a Visa range', '40117800', 16, 'ELO'],
  ['Elo on a Discover range', '65003100', 16, 'ELO'],
  ['Bancontact', '67034444', 17, 'BCMC'],
  ['Dankort', '50190000', 16, 'DANKORT'],
  ['Troy', '97920000', 16, 'TROY'],
  ['RuPay', '60698500', 16, 'RUPAY'],
  ['Mir', '22000000', 16, 'MIR'],
  ['Hipercard', '60628200', 16, 'HIPERCARD'],
  ['an unassigned range', '99999999', 16, undefined],
  ['too few digits', '4111', 16, undefined],
  ['no digits', 'abcdefgh', 16, undefined],
])('%s: detectBrand(%s, %i) is %s', (_, bin, length, brand) => expect(detectBrand(bin, length)).toBe(brand))

test('a number of a local scheme has the brand of its network if only that is accepted, none if none is', () => {
  expect(detectBrand('44640400', 16, (brand) => brand === 'VISA')).toBe('VISA')
  expect(detectBrand('44640400', 16, () => false)).toBeUndefined()
})

test.each<[CardBrandCode, string, number, boolean]>([
  ['VISA', '41111111', 16, true],
  ['VISA', '54545454', 16, false],
  ['VISA', '44640400', 16, true],
  ['CARTEBANCAIRE', '41111111', 16, true],
  ['CARTEBANCAIRE', '37828224', 15, false],
  ['MADA', '41111111', 16, true],
  ['AXP', '37828224', 15, true],
  ['TCARD', '12345678', 16, true],
  ['TCARD', '12345678', 20, false],
])('fitsBrand(%s, %s, %i) is %s', (brand, bin, length, fits) => expect(fitsBrand(brand, bin, length)).toBe(fits))

/** The brands of the card types of credit-card-type, the oracle of these tests. Hiper and Verve have no brand here. */
const brandsByOracleType: Readonly<Record<string, CardBrandCode>> = {
  visa: 'VISA',
  mastercard: 'MASTER',
  'american-express': 'AMEX',
  'diners-club': 'DINERS',
  discover: 'DISCOVER',
  jcb: 'JCB',
  unionpay: 'UNIONPAY',
  maestro: 'MAESTRO',
  mir: 'MIR',
  elo: 'ELO',
  hipercard: 'HIPERCARD',
  naranja: 'NARANJA',
  troy: 'TROY',
}
/** Brands that the oracle lacks. */
const localSchemes: ReadonlySet<CardBrandCode> = new Set([
  ...(['AIRPLUS', 'ARGENCARD', 'BCMC', 'CABAL', 'CARNET', 'CENCOSUD'] as const),
  ...(['DANKORT', 'MADA', 'NATIVA', 'PROSTIR', 'RUPAY', 'TARJETASHOPPING'] as const),
])
/**
 * Prefixes with intended differences. In the oracle, UnionPay has gaps in 62 and 81, Troy has numbers in Discover's 65,
 * Maestro has 59 and 506198 (the last of a range of Verve), JCB has 2131 and 1800, and Diners Club lacks 3095.
 */
const differingPrefixes = /^(62|65|81|59|2131|1800|3095|506198)/

/** The first eight digits of numbers on both sides of the bounds of every range, and in its middle. */
const probes = Object.values(cardBrands).flatMap(({ ranges }) =>
  ranges.split(' ').flatMap((range) => {
    const [from = '', to = from] = range.split('-')
    if (from === '') return []
    const first = Number(from.padEnd(8, '0'))
    const last = Number(to.padEnd(8, '9'))
    return [first - 1, first, Math.floor((first + last) / 2), last, last + 1].map((bin) => String(bin).padStart(8, '0'))
  }),
)

const lengthOf = (bin: string) => creditCardType(bin)[0]?.lengths[0] ?? 16

test('the brand is that of the oracle at every bound of every comparable range', () => {
  const comparable = probes.filter((bin) => {
    const [type, ...furtherTypes] = creditCardType(bin).map((cardType) => cardType.type)
    const prefixBrand = brandOfPrefix(bin)
    // The oracle reports ranges of local schemes as Maestro.
    if (type === 'maestro' && prefixBrand !== undefined && localSchemes.has(prefixBrand)) return false
    return (
      !differingPrefixes.test(bin) && furtherTypes.length === 0 && (type === undefined || type in brandsByOracleType)
    )
  })
  const detected = comparable.map((bin) => detectBrand(bin, lengthOf(bin), (brand) => !localSchemes.has(brand)))
  expect(comparable.map((bin, i) => [bin, detected[i]])).toEqual(
    comparable.map((bin) => [bin, brandsByOracleType[creditCardType(bin)[0]?.type ?? '']]),
  )
  expect([...new Set(detected.filter((brand) => brand !== undefined))].toSorted().join(' ')).toBe(
    'AMEX DINERS DISCOVER ELO HIPERCARD JCB MAESTRO MASTER MIR NARANJA TROY VISA',
  )
})

/** Every prefix of six digits in Maestro's ranges, padded to eight. */
const maestroRanges = [500, 560, 570, 580, 600, 610, 620, 630, 640, 650, 660, 670, 680, 690].flatMap((first) =>
  Array.from({ length: 10_000 }, (_, i) => String(first * 1_000 + i).padEnd(8, '0')),
)

/** The prefixes that belong only to other networks. */
const prefixesOfOtherNetworks = maestroRanges.filter((bin) => {
  const types = creditCardType(bin).map(({ type }) => type)
  return types.length > 0 && !types.some((type) => type === 'maestro')
})

test.each<[string, (brand: CardBrandCode) => boolean]>([
  ['every brand', () => true],
  ['only Maestro', (brand) => brand === 'MAESTRO'],
])('with %s accepted, no number of another network is detected as Maestro', (_, accepted) => {
  expect(prefixesOfOtherNetworks.length).toBeGreaterThan(20_000)
  const lengths = [12, 16, 19]
  expect(
    prefixesOfOtherNetworks.filter((bin) => lengths.some((length) => detectBrand(bin, length, accepted) === 'MAESTRO')),
  ).toEqual([])
  expect(prefixesOfOtherNetworks.filter((bin) => brandOfPrefix(bin, accepted) === 'MAESTRO')).toEqual([])
})

test('the numbers of a co-brand of Maestro are Maestro numbers too; those of an independent scheme are not', () => {
  const isMaestro = (brand: CardBrandCode) => brand === 'MAESTRO'
  expect(detectBrand('67034444', 17, isMaestro)).toBe('MAESTRO')
  expect(detectBrand('50190000', 16, isMaestro)).toBe(undefined)
  expect(fitsBrand('MAESTRO', '60110000', 16)).toBe(false)
  expect(fitsBrand('MAESTRO', '67999900', 19)).toBe(true)
})

test('ranges are well-formed, and no prefix is listed for two brands', () => {
  const ranges = Object.values(cardBrands).flatMap((brand) => brand.ranges.split(' ').filter((range) => range !== ''))
  const prefixes = ranges.flatMap((range) => {
    const [from = '', to = from] = range.split('-')
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => String(Number(from) + i))
  })
  expect(ranges.filter((range) => !/^[1-9]\d{0,7}(-[1-9]\d{0,7})?$/.test(range))).toEqual([])
  expect(prefixes.filter((prefix, i) => prefixes.indexOf(prefix) !== i)).toEqual([])
})

test.each<[string, CardBrandCode | undefined]>([
  ['', undefined],
  ['4', 'VISA'],
  ['40086', 'VISA'],
  ['400861', 'MADA'],
  ['5', undefined],
  ['51', 'MASTER'],
  ['6', undefined],
  ['60', undefined],
  ['67', 'MAESTRO'],
  ['50', undefined],
  ['5018', 'MAESTRO'],
  ['6011', 'DISCOVER'],
  ['2221', 'MASTER'],
  ['222', undefined],
  ['411111111111111111111', 'VISA'],
])('the incomplete number %j has the brand %s', (digits, brand) => {
  expect(brandOfPrefix(digits)).toBe(brand)
})

test('the brand of a prefix is one of the accepted brands', () => {
  expect(brandOfPrefix('400861', (brand) => brand === 'VISA')).toBe('VISA')
  expect(brandOfPrefix('51', (brand) => brand === 'VISA')).toBe(undefined)
})

test('numberDigitsMax is the maximum number of digits of a brand', () => {
  expect([numberDigitsMax('VISA'), numberDigitsMax('AMEX'), numberDigitsMax('MASTER')]).toEqual([19, 15, 16])
})
