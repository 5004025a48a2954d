import { currencies, type CurrencyCode, InvariantError, isCurrency } from '@tollgate/contract'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from './limits.ts'
import { formatAmount, formatSum, hasTwoDecimals, isAmount, parseAmount } from './money.ts'

const everyCurrency = fc.constantFrom(...Object.keys(currencies).filter(isCurrency))

describe('parseAmount', () => {
  it.each<[text: string, currency: CurrencyCode, expected: number | string]>([
    ['92.00', 'EUR', 9200],
    ['92', 'EUR', 9200],
    ['0.01', 'EUR', 1],
    ['0', 'EUR', 0],
    ['007.50', 'EUR', 750],
    ['9999999999.99', 'EUR', 999_999_999_999],
    ['92.00', 'JPY', 92],
    ['92', 'JPY', 92],
    ['92.50', 'JPY', '100.550.303'],
    ['0.01', 'JPY', '100.550.303'],
    ['92.50', 'KWD', 92_500],
    ['0.01', 'KWD', 10],
    ['92.50', 'CLF', 925_000],
    ['9999999999.99', 'CLF', 99_999_999_999_900],
    ['999999999999.99', 'EUR', 99_999_999_999_999],
    ['999999999999.99', 'CLF', '100.550.301'],
    ['92.5', 'EUR', '100.550.303'],
    ['92.500', 'KWD', '100.550.303'],
    ['-1.00', 'EUR', '100.550.303'],
    ['1e3', 'EUR', '100.550.303'],
    ['', 'EUR', '100.550.303'],
    ['1234567890123', 'EUR', '100.550.303'],
  ])('%s %s is %s', (text, currency, expected) => {
    const parsed = parseAmount(text, currency)
    expect(parsed.kind === 'amount' ? parsed.amountMinor : parsed.code).toBe(expected)
  })

  it('returns only amounts within bounds', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^\d{0,14}\.?\d{0,3}$/))
    fc.assert(
      fc.property(text, everyCurrency, (candidate, currency) => {
        const parsed = parseAmount(candidate, currency)
        expect(parsed.kind === 'refused' || isAmount(parsed.amountMinor)).toBe(true)
      }),
    )
  })
})

describe('hasTwoDecimals', () => {
  it.each<[amountMinor: number, currency: CurrencyCode, expected: boolean]>([
    [9201, 'EUR', true],
    [92, 'JPY', true],
    [46_010, 'BHD', true],
    [46_005, 'BHD', false],
    [999_999_999_999_991, 'KWD', false],
    [999_999_999_999_990, 'KWD', true],
    [999_999_999_999_901, 'CLF', false],
    [999_999_999_999_900, 'CLF', true],
  ])('%d %s: %s', (amountMinor, currency, expected) => {
    expect(hasTwoDecimals(amountMinor, currency)).toBe(expected)
  })
})

describe('formatAmount', () => {
  it.each<[amountMinor: number, currency: CurrencyCode, text: string]>([
    [9200, 'EUR', '92.00'],
    [1, 'EUR', '0.01'],
    [0, 'EUR', '0.00'],
    [92, 'JPY', '92.00'],
    [0, 'JPY', '0.00'],
    [10, 'KWD', '0.01'],
    [92_500, 'KWD', '92.50'],
    [100, 'CLF', '0.01'],
    [limits.amountMinorMax, 'JPY', '999999999999999.00'],
  ])('%d %s is %s', (amountMinor, currency, text) => {
    expect(formatAmount(amountMinor, currency)).toBe(text)
  })

  it.each<[amountMinor: number, currency: CurrencyCode]>([
    [-1, 'EUR'],
    [0.5, 'EUR'],
    [Number.NaN, 'EUR'],
    [limits.amountMinorMax + 1, 'EUR'],
    [1, 'KWD'],
    [99, 'CLF'],
  ])('throws for %d %s', (amountMinor, currency) => {
    expect(() => formatAmount(amountMinor, currency)).toThrow(InvariantError)
  })

  it('is the inverse of parseAmount', () => {
    const hundredths = fc.integer({ min: 0, max: 999_999_999_999 })
    fc.assert(
      fc.property(hundredths, everyCurrency, (value, currency) => {
        const fraction = currencies[currency].exponent === 0 ? 0 : value % 100
        const text = `${Math.floor(value / 100)}.${String(fraction).padStart(2, '0')}`
        const parsed = parseAmount(text, currency)
        expect(parsed.kind === 'amount' && formatAmount(parsed.amountMinor, currency)).toBe(text)
      }),
    )
  })
})

describe('formatSum', () => {
  it.each<[sumMinor: number, currency: CurrencyCode, expected: string]>([
    [0, 'EUR', '0.00'],
    [5, 'EUR', '0.05'],
    [-5, 'EUR', '-0.05'],
    [-9200, 'EUR', '-92.00'],
    [Number.MAX_SAFE_INTEGER, 'EUR', '90071992547409.91'],
    [92, 'JPY', '92.00'],
    [-92, 'JPY', '-92.00'],
    [92_500, 'KWD', '92.50'],
    [92_501, 'KWD', '92.501'],
    [-1, 'KWD', '-0.001'],
    [120, 'CLF', '0.0120'],
  ])('%s %s is %s', (sumMinor, currency, expected) => {
    expect(formatSum(sumMinor, currency)).toBe(expected)
  })

  it('writes an amount as formatAmount does', () => {
    fc.assert(
      fc.property(everyCurrency, fc.nat({ max: limits.amountMinorMax }), (currency, amountMinor) => {
        fc.pre(hasTwoDecimals(amountMinor, currency))
        expect(formatSum(amountMinor, currency)).toBe(formatAmount(amountMinor, currency))
      }),
    )
  })

  it('throws for a sum that is not exact', () => {
    expect(() => formatSum(Number.MAX_SAFE_INTEGER + 1, 'EUR')).toThrow(InvariantError)
    expect(() => formatSum(0.5, 'EUR')).toThrow(InvariantError)
  })
})
