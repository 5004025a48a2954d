import { expect, test } from 'vitest'
import { areEqualAfterReversals, type BatchTotals, batchTotalsOf, netMinorOf } from './batch-totals.ts'

const sum = (kind: string, postings: number, amountMinor: number, currency = 'EUR') => ({
  kind,
  currency,
  postings,
  amount_minor: amountMinor,
})
const totals = (
  debits: number[],
  debitReversals: number[],
  credits: number[],
  creditReversals: number[],
): BatchTotals => {
  const total = ([count = 0, amountMinor = 0]: number[]) => ({ count, amountMinor })
  return {
    debits: total(debits),
    debitReversals: total(debitReversals),
    credits: total(credits),
    creditReversals: total(creditReversals),
  }
}

test('captures and charges are debits, refunds are credits, holds and chargebacks are not cleared', () => {
  const days = [
    sum('hold', 9, 9),
    sum('capture', 2, 200),
    sum('charge', 3, 3000),
    sum('captureReversal', 1, 10),
    sum('chargeReversal', 1, 1000),
    sum('refund', 4, 70),
    sum('chargeback', 1, 5),
    sum('charge', 1, 7, 'USD'),
  ]
  expect(batchTotalsOf(days)).toEqual(
    new Map([
      ['EUR', totals([5, 3200], [2, 1010], [4, 70], [])],
      ['USD', totals([1, 7], [], [], [])],
    ]),
  )
  expect(batchTotalsOf([sum('hold', 1, 1)]).size).toBe(0)
})

test('the net amount is what the merchant receives', () => {
  expect(netMinorOf(totals([5, 3200], [2, 1010], [4, 70], [1, 7]))).toBe(2127)
  expect(netMinorOf(totals([], [], [1, 70], []))).toBe(-70)
})

test.each([
  [totals([3, 300], [1, 100], [2, 20], []), true],
  [totals([2, 200], [], [2, 20], []), true],
  [totals([2, 200], [], [3, 25], [1, 5]), true],
  [totals([2, 200], [], [1, 20], []), false],
  [totals([2, 201], [], [2, 20], []), false],
  [totals([1, 200], [], [2, 20], []), false],
  [totals([3, 220], [], [3, 40], []), false],
])('%j equals two debits of 200 and two credits of 20 after reversals: %s', (other, isEqual) => {
  expect(areEqualAfterReversals(other, totals([2, 200], [], [2, 20], []))).toBe(isEqual)
})
