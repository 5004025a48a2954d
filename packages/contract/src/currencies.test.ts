import { expect, test } from 'vitest'
import { currencies, isCurrency } from './currencies.ts'

const codes = Object.keys(currencies)

test('the table has the 165 active codes of ISO 4217 with a minor unit, sorted, well-formed, each number once', () => {
  expect(codes).toHaveLength(165)
  expect(codes).toEqual(codes.toSorted())
  for (const code of codes) expect(code).toMatch(/^[A-Z]{3}$/)
  const numerics = Object.values(currencies).map((currency) => currency.numeric)
  for (const numeric of numerics) expect(numeric).toMatch(/^\d{3}$/)
  expect(new Set(numerics).size).toBe(codes.length)
})

const withExponent = (exponent: number) =>
  Object.entries(currencies)
    .filter(([, currency]) => currency.exponent === exponent)
    .map(([code]) => code)
    .join(' ')

test('currencies have two decimals, except those to which ISO 4217 assigns 0, 3 or 4', () => {
  expect(withExponent(0)).toBe('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF')
  expect(withExponent(3)).toBe('BHD IQD JOD KWD LYD OMR TND')
  expect(withExponent(4)).toBe('CLF UYW')
})

test.each([
  ['EUR', true],
  ['XCG', true],
  ['eur', false],
  ['ANG', false],
  ['BGN', false],
  ['XXX', false],
  ['XAU', false],
  ['', false],
  ['constructor', false],
  ['__proto__', false],
])('isCurrency(%j) is %s', (code, expected) => expect(isCurrency(code)).toBe(expected))
