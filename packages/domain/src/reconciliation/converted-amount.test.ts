import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { convertedMinor, isAtMost, isWithinTolerance } from './converted-amount.ts'

describe('a converted amount', () => {
  it.each([
    [9200, 'EUR', '1.10', 'USD', 10_120],
    [14_839, 'JPY', '0.0062', 'EUR', 9200],
    [9200, 'EUR', '161.29348', 'JPY', 14_839],
    [9205, 'KWD', '3.05', 'EUR', 2808],
    [1, 'EUR', '0.5', 'USD', 1],
    [1, 'EUR', '0.499999999999', 'USD', 0],
    // Floating point gives 100.49999999999999, which would be rounded down.
    [100, 'EUR', '1.005', 'USD', 101],
    [999_999_999_999_999, 'EUR', '1', 'USD', 999_999_999_999_999],
  ] as const)('%i %s at %s is in %s %i', (minor, currency, rate, into, converted) => {
    expect(convertedMinor({ minor, currency }, rate, into)).toBe(converted)
  })

  it.each(['', '0', '0.00', '-1', '1,1', '1e3', '.5', '1.', '1'.repeat(13), `0.${'1'.repeat(13)}`])(
    'at the rate %j is unknown',
    (rate) => {
      expect(convertedMinor({ minor: 100, currency: 'EUR' }, rate, 'USD')).toBeUndefined()
    },
  )

  it('is the amount itself at the rate 1, with any number of decimals', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 15 - 1 }), fc.integer({ min: 1, max: 12 }), (minor, decimals) => {
        const rate = `1.${'0'.repeat(decimals)}`
        expect(convertedMinor({ minor, currency: 'EUR' }, rate, 'USD')).toBe(minor)
      }),
    )
  })
})

it.each([
  [0, 0, true, true],
  [1, 0, true, true],
  [2, 0, false, false],
  [199, 200, true, true],
  [201, 200, true, true],
  [202, 200, false, false],
  [0, 200, false, true],
  [1005, 1000, true, true],
  [1006, 1000, false, false],
  [995, 1000, true, true],
  [994, 1000, false, true],
])('of %i, %i are expected: equal %s, at most %s', (minor, expected, equal, atMost) => {
  expect([isWithinTolerance(minor, expected), isAtMost(minor, expected)]).toEqual([equal, atMost])
})
