import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { balancesOf } from '../ledger/balances.ts'
import { formatSum } from '../money.ts'
import type { SettlementRow } from '../settlement/settlement-row.ts'
import { settledPostingsOf, type SettledTransaction } from './settled-postings.ts'

const sale: SettledTransaction = { type: 'DB', minor: 9200, currency: 'EUR' }
const refund: SettledTransaction = { type: 'RF', minor: 9200, currency: 'EUR' }
const dollars: SettledTransaction = { type: 'CP', minor: 10_000, currency: 'USD' }

const rowOf = (changes: Partial<SettlementRow> = {}): SettlementRow => ({
  kind: 'SETTLED',
  type: 'DEBIT',
  cashflow: 'POS',
  clearingMerchantId: 'NORTH0000000001',
  amountMinor: 9200,
  currency: 'EUR',
  settlementAmountMinor: 9200,
  settlementCurrency: 'EUR',
  settledOn: '2026-06-16',
  status: 'SUCCESS',
  line: 1,
  ...changes,
})

const [debit, credit, half] = [
  { cashflow: 'NEG' } as const,
  { cashflow: 'POS' } as const,
  { amountMinor: 4600, settlementAmountMinor: 4600 },
]
/** 100.00 USD, settled in euro. */
const exchanged = { amountMinor: 10_000, currency: 'USD', settlementAmountMinor: 9200, fxRate: '0.92' }
/** The same in a file that states the amount in euro only. */
const inEuro = { fxRate: '0.92' }

test.each<[Partial<SettlementRow>, SettledTransaction | undefined, entries: string[]]>([
  [{}, sale, ['settledSale 92.00 EUR']],
  [{ feeMinor: 90 }, sale, ['settledSale 92.00 EUR', 'acquirerFee 0.90 EUR']],
  [{ ...debit, ...half }, sale, ['settledSaleReversal 46.00 EUR']],
  [{ type: 'REFUND', ...debit }, refund, ['settledRefund 92.00 EUR']],
  [{ type: 'CREDIT', ...debit }, { ...refund, type: 'CD' }, ['settledRefund 92.00 EUR']],
  [{ type: 'REFUND', ...credit, ...half }, refund, ['settledRefundReturn 46.00 EUR']],
  [{ kind: 'CHARGEBACK', ...debit, ...half }, sale, ['settledChargeback 46.00 EUR']],
  [{ kind: 'CHARGEBACK REVERSAL', ...half }, sale, ['settledChargebackReversal 46.00 EUR']],
  [{ kind: 'CHARGEBACK', type: 'REFUND', ...credit }, refund, ['settledRefundReturn 92.00 EUR']],
  [{ kind: 'CHARGEBACK REVERSAL', type: 'REFUND', ...debit }, refund, ['settledRefund 92.00 EUR']],
  [{ kind: 'FEE', type: 'BATCH', ...debit }, undefined, ['acquirerFee 92.00 EUR']],
  [{ kind: 'FEE', type: 'BATCH', ...credit }, undefined, ['acquirerFeeReturn 92.00 EUR']],
  [{ feeMinor: 90 }, undefined, ['unmatchedCredit 92.00 EUR', 'acquirerFee 0.90 EUR']],
  [{ kind: 'CHARGEBACK', ...debit }, undefined, ['unmatchedDebit 92.00 EUR']],
  [{ status: 'FAILED', feeMinor: 90 }, sale, []],
  [exchanged, dollars, ['settledSale 100.00 USD', 'currencySold 100.00 USD', 'currencyBought 92.00 EUR']],
  [
    { ...exchanged, settlementAmountMinor: 9190, feeMinor: 90 },
    dollars,
    [
      'settledSale 100.00 USD',
      'currencySold 100.00 USD',
      'currencyBought 92.00 EUR',
      'exchangeLoss 0.10 EUR',
      'acquirerFee 0.90 EUR',
    ],
  ],
  [
    { ...exchanged, settlementAmountMinor: 9210 },
    dollars,
    ['settledSale 100.00 USD', 'currencySold 100.00 USD', 'currencyBought 92.00 EUR', 'exchangeGain 0.10 EUR'],
  ],
  [
    { ...exchanged, type: 'REFUND', ...debit, settlementAmountMinor: 9210 },
    { ...dollars, type: 'RF' },
    ['settledRefund 100.00 USD', 'currencyBought 100.00 USD', 'currencySold 92.00 EUR', 'exchangeLoss 0.10 EUR'],
  ],
  [
    { ...exchanged, fxRate: undefined },
    dollars,
    ['settledSale 100.00 USD', 'currencySold 100.00 USD', 'currencyBought 92.00 EUR'],
  ],
  [
    { ...exchanged, fxRate: '0.9' },
    dollars,
    ['settledSale 100.00 USD', 'currencySold 100.00 USD', 'currencyBought 92.00 EUR'],
  ],
  [{ settlementAmountMinor: 9000 }, sale, ['settledSale 92.00 EUR', 'exchangeLoss 2.00 EUR']],
  [inEuro, dollars, ['settledSale 100.00 USD', 'currencySold 100.00 USD', 'currencyBought 92.00 EUR']],
  [
    { kind: 'CHARGEBACK', ...debit, ...inEuro, ...half },
    dollars,
    ['settledChargeback 50.00 USD', 'currencyBought 50.00 USD', 'currencySold 46.00 EUR'],
  ],
])('%j of %j has the entries %j', (changes, transaction, entries) => {
  const postings = settledPostingsOf(rowOf(changes), transaction)
  expect(
    postings.map(({ kind, amountMinor, currency }) => `${kind} ${formatSum(amountMinor, currency)} ${currency}`),
  ).toEqual(entries)
})

const amount = fc.integer({ min: 0, max: 999_999_999_999 })
const rows = fc.record({
  kind: fc.constantFrom('SETTLED' as const, 'CHARGEBACK' as const, 'CHARGEBACK REVERSAL' as const, 'FEE' as const),
  cashflow: fc.constantFrom('POS' as const, 'NEG' as const),
  amountMinor: amount,
  currency: fc.constantFrom('EUR', 'USD', 'JPY', 'KWD'),
  settlementAmountMinor: amount,
  settlementCurrency: fc.constantFrom('EUR', 'USD', 'JPY', 'KWD'),
  feeMinor: fc.option(amount, { nil: undefined }),
  fxRate: fc.constantFrom('1', '0.92', '150.5', undefined),
})
const transactions = fc.record({
  type: fc.constantFrom('DB' as const, 'CP' as const, 'RF' as const, 'CD' as const),
  minor: amount,
  currency: fc.constantFrom('EUR' as const, 'USD' as const, 'JPY' as const, 'KWD' as const),
})

test('the bank moves by the settlement amount less the fee, and all accounts of a currency add up to zero', () => {
  fc.assert(
    fc.property(rows, fc.option(transactions, { nil: undefined }), (changes, transaction) => {
      const row = rowOf(changes)
      const postings = settledPostingsOf(row, transaction)
      for (const currency of ['EUR', 'USD', 'JPY', 'KWD']) {
        const own = postings.filter((each) => each.currency === currency).map((each) => ({ ...each, feeMinor: 0 }))
        const balances = balancesOf(own)
        const isSettled = currency === row.settlementCurrency
        const netMinor = (row.cashflow === 'POS' ? 1 : -1) * row.settlementAmountMinor - (row.feeMinor ?? 0)
        expect((balances.get('bank') ?? 0) + 0).toBe(isSettled ? netMinor + 0 : 0)
        expect([...balances.values()].reduce((sum, minor) => sum + minor, 0) + 0).toBe(0)
      }
      expect(postings.every(({ amountMinor }) => amountMinor > 0)).toBe(true)
    }),
  )
})
