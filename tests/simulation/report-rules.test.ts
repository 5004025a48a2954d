import { rowJson } from '@tollgate/operations'
import type { SettlementRowRow, SettlementSumRow } from '@tollgate/storage'
import { expect, test } from 'vitest'
import { checkReportSums, type ReportDisk } from './report-rules.ts'

type Row = Parameters<typeof rowJson>[0]

const row: Row = {
  kind: 'SETTLED',
  type: 'DEBIT',
  cashflow: 'POS',
  clearingMerchantId: 'NORTH0000000001',
  amountMinor: 9200,
  currency: 'EUR',
  settledOn: '2026-06-16',
  status: 'SUCCESS',
  line: 1,
  settlementAmountMinor: 9200,
  settlementCurrency: 'EUR',
  feeMinor: 90,
}
const stored = (changes: Partial<SettlementRowRow> = {}, of: Partial<Row> = {}): SettlementRowRow => ({
  file_id: 'f1',
  number: 1,
  merchant: 'm1',
  channel: 'c1',
  kind: 'SETTLED',
  status: 'NOT_MATCHED',
  transaction_id: null,
  candidates: null,
  reason: 'noTransaction',
  settled_on: '2026-06-16',
  row: rowJson({ ...row, ...of }, undefined),
  chargeback_id: null,
  changed_at_ms: 0,
  delivery_id: null,
  aggregation_id: 'g1',
  presented_at_ms: 0,
  acquirer: 'north',
  booking: null,
  ...changes,
})

const sumOf = (changes: Partial<SettlementSumRow> = {}): SettlementSumRow => ({
  merchant: 'm1',
  settled_on: '2026-06-16',
  aggregation_id: 'g1',
  kind: 'SETTLED',
  type: 'DEBIT',
  cashflow: 'POS',
  outcome: 'SUCCESS',
  channel: 'c1',
  clearing_merchant_id: 'NORTH0000000001',
  settlement_id: 'S1',
  currency: 'EUR',
  records: 1,
  amount_minor: 9200,
  fee_minor: 90,
  changes: 1,
  ...changes,
})

const diskOf = (rows: readonly SettlementRowRow[], sums: readonly SettlementSumRow[]): ReportDisk => ({
  settlement_row: new Map(rows.map((each, index) => [`${index}`, each])),
  settlement_sum: new Map(sums.map((each, index) => [`${index}`, each])),
})
const twice = sumOf({ records: 2, amount_minor: 18_400, fee_minor: 180 })

test.each([
  diskOf([], []),
  diskOf([stored()], [sumOf()]),
  diskOf([stored(), stored()], [twice]),
  diskOf([stored({ merchant: '', aggregation_id: null })], []),
  diskOf([], [sumOf({ records: 0, amount_minor: 0, fee_minor: 0, changes: 2 })]),
])('the invariants of reports hold: %#', (disk) => {
  checkReportSums(disk)
})

test.each([
  [
    'a row of a merchant without a settlement',
    /has another settlement/,
    diskOf([stored({ aggregation_id: null })], []),
  ],
  ['a row without a sum', /rows have 1 as records .* reports have 0/, diskOf([stored()], [])],
  ['a sum without a row', /rows have 0 as records .* reports have 1/, diskOf([], [sumOf()])],
  ['a row that counts twice', /reports have 2/, diskOf([stored()], [twice])],
  ['a sum that is a cent off', /9200 as amount/, diskOf([stored()], [sumOf({ amount_minor: 9201 })])],
  ['a lost fee', /90 as fee/, diskOf([stored()], [sumOf({ fee_minor: 0 })])],
  ['a row of another direction', /NEG/, diskOf([stored({}, { cashflow: 'NEG' })], [sumOf()])],
])('%s violates them', (_name, violation, disk) => {
  expect(() => checkReportSums(disk)).toThrow(violation)
})
