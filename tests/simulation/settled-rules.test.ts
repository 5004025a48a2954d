import { rowJson } from '@tollgate/operations'
import type { PostingRow, SettlementRowRow } from '@tollgate/storage'
import { expect, test } from 'vitest'
import { checkSettledRows, type SettledDisk } from './settled-rules.ts'

type Row = Parameters<typeof rowJson>[0]

const rowOf = (status: string, row: Partial<Row>, changes: Partial<SettlementRowRow> = {}): SettlementRowRow => ({
  file_id: 'f1',
  number: 1,
  merchant: 'm1',
  channel: 'c1',
  kind: 'SETTLED',
  status,
  transaction_id: status === 'MATCHED' ? 'p1' : null,
  candidates: null,
  reason: 'r',
  settled_on: '2026-06-16',
  row: rowJson(
    {
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
      ...row,
    },
    undefined,
  ),
  chargeback_id: null,
  changed_at_ms: 0,
  acquirer: 'north',
  booking: null,
  delivery_id: null,
  aggregation_id: null,
  presented_at_ms: null,
  ...changes,
})

const entryOf = (kind: string, amount: number, changes: Partial<PostingRow> = {}): PostingRow => ({
  transaction_id: 'settlement/f1/e1',
  kind,
  merchant: 'm1',
  acquirer: 'north',
  currency: 'EUR',
  day: 1,
  amount_minor: amount,
  fee_minor: 0,
  reference: null,
  ...changes,
})

const diskOf = (rows: readonly SettlementRowRow[], entries: readonly PostingRow[]): SettledDisk => ({
  settlement_row: new Map(rows.map((row, index) => [`${index}`, row])),
  posting: new Map(entries.map((row, index) => [`${index}`, row])),
})

const sale = entryOf('settledSale', 9200)

test.each([
  diskOf([rowOf('MATCHED', {})], [sale]),
  diskOf([rowOf('MATCHED', { feeMinor: 90 })], [sale, entryOf('acquirerFee', 90)]),
  diskOf([rowOf('MATCHED', {})], [entryOf('unmatchedCredit', 9200), sale, entryOf('unmatchedCredit', -9200)]),
  diskOf([rowOf('NOT_MATCHED', { cashflow: 'NEG' })], [entryOf('unmatchedDebit', 9200)]),
  diskOf([rowOf('MATCHED', { kind: 'FEE', cashflow: 'NEG' })], [entryOf('acquirerFee', 9200)]),
  diskOf([rowOf('MATCHED', { status: 'FAILED' })], []),
  diskOf([rowOf('NOT_MATCHED', {}, { acquirer: null })], [entryOf('charge', 9200, { transaction_id: 'p1' })]),
])('the invariants of settled rows hold: %#', (disk) => {
  checkSettledRows(disk)
})

test.each([
  ['a row without entries', /have 9200 of bank m1 north EUR/, diskOf([rowOf('MATCHED', {})], [])],
  ['an entry without a row', /have 0 of bank/, diskOf([], [sale])],
  ['a row that counts twice', /and the ledger has 18400/, diskOf([rowOf('MATCHED', {})], [sale, sale])],
  [
    'a row that stays in suspense after its match',
    /have 0 of suspense/,
    diskOf([rowOf('MATCHED', {})], [entryOf('unmatchedCredit', 9200)]),
  ],
  ['a lost fee', /have 9110 of bank/, diskOf([rowOf('MATCHED', { feeMinor: 90 })], [sale])],
  [
    'an entry of another merchant',
    /of bank m1 north EUR/,
    diskOf([rowOf('MATCHED', {})], [entryOf('settledSale', 9200, { merchant: 'm2' })]),
  ],
])('%s violates them', (_name, violation, disk) => {
  expect(() => checkSettledRows(disk)).toThrow(violation)
})
