import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type SettlementCategory, type SettlementSum, settlementTotals } from './settlement-totals.ts'

const sumOf = (changes: Partial<SettlementSum>): SettlementSum => ({
  kind: 'SETTLED',
  type: 'DEBIT',
  cashflow: 'POS',
  status: 'SUCCESS',
  records: 1,
  amountMinor: 100,
  feeMinor: 0,
  ...changes,
})

test.each<[Partial<SettlementSum>, SettlementCategory, amountMinor: number, netMinor: number]>([
  [{}, 'sales', 100, 100],
  [{ feeMinor: 3 }, 'sales', 100, 97],
  [{ cashflow: 'NEG' }, 'sales', -100, -100],
  [{ type: 'CREDIT', cashflow: 'NEG', feeMinor: 3 }, 'payouts', 100, -103],
  [{ type: 'REFUND', cashflow: 'NEG' }, 'refunds', 100, -100],
  [{ type: 'REFUND', cashflow: 'POS' }, 'refunds', -100, 100],
  [{ kind: 'CHARGEBACK', cashflow: 'NEG' }, 'chargebacks', 100, -100],
  [{ kind: 'CHARGEBACK REVERSAL' }, 'chargebackReversals', 100, 100],
  [{ kind: 'FEE', type: 'MONTHLY', cashflow: 'NEG' }, 'fees', 100, -100],
  [{ kind: 'FEE', type: 'CAPTURE_FEE', cashflow: 'POS' }, 'fees', -100, 100],
])('%j counts as %s', (changes, category, amountMinor, netMinor) => {
  const totals = settlementTotals([sumOf(changes)])
  expect(totals).toMatchObject({ records: 1, failed: 0, netMinor, transactionFeesMinor: changes.feeMinor ?? 0 })
  expect(totals.categories[category]).toEqual({ count: 1, amountMinor })
  const others = Object.entries(totals.categories).filter(([name]) => name !== category)
  expect(others.map(([, { count }]) => count)).toEqual([0, 0, 0, 0, 0])
})

test('a failed row moves no money', () => {
  const totals = settlementTotals([sumOf({ status: 'FAILED', feeMinor: 3, records: 2 })])
  expect(totals).toMatchObject({ records: 2, failed: 2, netMinor: 0, transactionFeesMinor: 0 })
  expect(totals.categories.sales).toEqual({ count: 0, amountMinor: 0 })
})

test('the net is that of the categories and the fees of transactions', () => {
  const minor = fc.integer({ min: 0, max: 1_000_000 })
  const sums = fc.array(
    fc.record({
      kind: fc.constantFrom('SETTLED', 'CHARGEBACK', 'CHARGEBACK REVERSAL', 'FEE'),
      type: fc.constantFrom('DEBIT', 'CREDIT', 'REFUND', 'BATCH'),
      cashflow: fc.constantFrom('POS', 'NEG'),
      status: fc.constantFrom('SUCCESS', 'FAILED'),
      records: fc.nat(9),
      amountMinor: minor,
      feeMinor: minor,
    }),
  )
  fc.assert(
    fc.property(sums, (rows) => {
      const { categories, transactionFeesMinor, netMinor, records, failed } = settlementTotals(rows)
      const { sales, payouts, refunds, chargebacks, chargebackReversals, fees } = categories
      const received = sales.amountMinor + chargebackReversals.amountMinor
      const paid = payouts.amountMinor + refunds.amountMinor + chargebacks.amountMinor + fees.amountMinor
      expect(netMinor).toBe(received - paid - transactionFeesMinor)
      expect(records - failed).toBe(Object.values(categories).reduce((sum, { count }) => sum + count, 0))
    }),
  )
})
