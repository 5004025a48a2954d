import { describe, expect, it, test } from 'vitest'
import { moves } from '../payment/moves.ts'
import { type PaymentType, paymentTypes } from '../payment/transaction.ts'
import type { SettledType, SettlementKind } from '../settlement/settlement-row.ts'
import { recordTypeOf, recordTypes, transactionTypesOf } from './record-type.ts'

const kinds: readonly SettlementKind[] = ['SETTLED', 'CHARGEBACK', 'CHARGEBACK REVERSAL', 'FEE']

describe('the record of a transaction', () => {
  it.each<[PaymentType, settled: string, disputed: string, reversed: string, fee: string]>([
    ['PA', '-', '-', '-', 'AUTH_FEE NEG'],
    ['DB', 'DEBIT POS', 'DEBIT NEG', 'DEBIT POS', 'AUTH_FEE NEG'],
    ['CD', 'CREDIT NEG', '-', '-', '-'],
    ['CP', 'DEBIT POS', 'DEBIT NEG', 'DEBIT POS', 'CAPTURE_FEE NEG'],
    ['RV', '-', '-', '-', 'CANCEL_FEE NEG'],
    ['RF', 'REFUND NEG', 'REFUND POS', 'REFUND NEG', 'REFUND_FEE NEG'],
    ['RB', 'DEBIT POS', 'DEBIT NEG', 'DEBIT POS', '-'],
    ['CB', '-', '-', '-', '-'],
    ['CR', '-', '-', '-', '-'],
    ['RC', 'DEBIT POS', '-', '-', '-'],
  ])('%s is settled as %s, charged back as %s, reversed as %s, with the fee %s', (type, ...expected) => {
    const records = kinds.map((kind) => recordTypeOf(kind, type))
    expect(records.map((record) => (record ? `${record.type} ${record.cashflow}` : '-'))).toEqual(expected)
  })

  it('is a chargeback for exactly the types that a chargeback may refer to', () => {
    const disputed = paymentTypes.filter((type) => recordTypeOf('CHARGEBACK', type))
    expect(disputed).toEqual(paymentTypes.filter((type) => type !== 'CR' && moves.CB.after[type] !== undefined))
  })

  it('is unique for each kind and type', () => {
    const pairs = recordTypes.flatMap(({ kind, of }) => of.map((type) => `${kind} ${type}`))
    expect(new Set(pairs).size).toBe(pairs.length)
  })
})

test.each<[SettlementKind, SettledType, readonly PaymentType[]]>([
  ['SETTLED', 'DEBIT', ['DB', 'CP', 'RB', 'RC']],
  ['CHARGEBACK', 'REFUND', ['RF']],
  ['CHARGEBACK', 'CREDIT', []],
  ['FEE', 'MONTHLY', []],
  ['SETTLED', 'MONTHLY', []],
])('a row %s %s settles %j', (kind, type, types) => {
  expect(transactionTypesOf({ kind, type })).toEqual(types)
})
