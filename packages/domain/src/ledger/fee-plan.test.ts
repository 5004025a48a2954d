import { describe, expect, test } from 'vitest'
import { type ChargedOperation, type Fee, feeMinorOf } from './fee-plan.ts'

const capture: ChargedOperation = { kind: 'capture', type: 'DB', brand: 'VISA', currency: 'EUR', amountMinor: 9200 }
const price = { millionths: 0, fixedMinor: 0, minimumMinor: 0 }
const fixed = (fixedMinor: number, traits: Partial<Fee> = {}): Fee => ({
  kind: 'capture',
  tiers: [{ ...price, fromMinor: 0, fixedMinor }],
  ...traits,
})

describe('the first fee that matches applies', () => {
  const fees = [
    fixed(1, { kind: 'refund' }),
    fixed(2, { types: ['CP'] }),
    fixed(3, { brands: ['AMEX', 'MASTER'] }),
    fixed(4, { currency: 'USD' }),
    fixed(5, { types: ['DB'], brands: ['VISA'], currency: 'EUR' }),
    fixed(6),
  ]
  test.each<[Partial<ChargedOperation>, number]>([
    [{ kind: 'refund', type: 'RF' }, 1],
    [{ type: 'CP' }, 2],
    [{ brand: 'AMEX' }, 3],
    [{ currency: 'USD' }, 4],
    [{}, 5],
    [{ type: 'RB' }, 6],
    [{ brand: null }, 6],
    [{ kind: 'dispute' }, 0],
  ])('%j: %d', (traits, fee) => {
    expect(feeMinorOf({ fees }, { ...capture, ...traits })).toBe(fee)
  })
})

test.each<[amountMinor: number, fee: number]>([
  // 1.25 % of 0.40 is 0.005, which is rounded half up.
  [40, 11],
  [39, 10],
  [9200, 125],
  [1_000_000_000_000, 500],
])('1.25 %% and 10, at least 10 and at most 500, of %d is %d', (amountMinor, fee) => {
  const tiers = [{ fromMinor: 0, millionths: 12_500, fixedMinor: 10, minimumMinor: 10, maximumMinor: 500 }]
  expect(feeMinorOf({ fees: [{ kind: 'capture', tiers }] }, { ...capture, amountMinor })).toBe(fee)
})

test.each<[amountMinor: number, fee: number]>([
  [999, 1],
  [1000, 2],
  [50_000, 3],
])('the highest tier that the amount reaches applies: %d has the fee %d', (amountMinor, fee) => {
  const tiers = [
    { ...price, fromMinor: 0, fixedMinor: 1 },
    { ...price, fromMinor: 1000, fixedMinor: 2 },
    { ...price, fromMinor: 50_000, fixedMinor: 3 },
  ]
  expect(feeMinorOf({ fees: [{ kind: 'capture', tiers }] }, { ...capture, amountMinor })).toBe(fee)
})

test('a percentage of the largest amount is exact', () => {
  const tiers = [{ ...price, fromMinor: 0, millionths: 999_999 }]
  const amountMinor = 999_999_999_999
  expect(feeMinorOf({ fees: [{ kind: 'capture', tiers }] }, { ...capture, amountMinor })).toBe(999_998_999_999)
})

test('without a plan there is no fee', () => {
  expect(feeMinorOf(undefined, capture)).toBe(0)
})
