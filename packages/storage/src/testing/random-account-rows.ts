import * as fc from 'fast-check'
import { bankEntry, merchantAccount, merchantTerms, payout } from './sample-rows.ts'
import { fewValues, id, rowsOf, text } from './random-values.ts'

/** Changes of the terms and accounts of merchants, of payouts and of bank entries. */
export const accountCompareAndSets = [
  fc.tuple(id, fc.nat(2), fewValues, fewValues).map(([rowId, atMs, from, to]) => ({
    table: 'merchant_terms' as const,
    from: merchantTerms(rowId, { starts_at_ms: atMs, sealed: from }),
    to: merchantTerms(rowId, { starts_at_ms: atMs, sealed: to }),
  })),
  fc.tuple(id, fc.nat(1), fc.nat(1)).map(([rowId, from, to]) => ({
    table: 'merchant_account' as const,
    from: merchantAccount(rowId, { changes: from }),
    to: merchantAccount(rowId, { changes: to }),
  })),
  fc.tuple(id, fc.nat(1), text).map(([rowId, atMs, state]) => ({
    table: 'payout' as const,
    from: payout(rowId, { merchant: 'x1', created_at_ms: atMs }),
    to: payout(rowId, { merchant: 'x1', created_at_ms: atMs, state }),
  })),
  fc.tuple(id, fc.nat(1), text).map(([rowId, day, explanation]) => ({
    table: 'bank_entry' as const,
    from: bankEntry(rowId, { booked_on: `d${day}` }),
    to: bankEntry(rowId, { booked_on: `d${day}`, state: 'assigned', explanation }),
  })),
]

/** New rows of these tables. */
export const accountRows = {
  merchant_terms: rowsOf(
    fc
      .tuple(id, fc.nat(2), fc.option(text))
      .map(([rowId, atMs, terms]) => merchantTerms(rowId, { starts_at_ms: atMs, terms })),
  ),
  merchant_account: rowsOf(fc.tuple(id, fc.nat(1)).map(([rowId, changes]) => merchantAccount(rowId, { changes }))),
  payout: rowsOf(
    fc
      .tuple(id, id, fc.nat(1), fc.constantFrom('instructed', 'confirmed'))
      .map(([rowId, merchant, atMs, state]) => payout(rowId, { merchant, created_at_ms: atMs, state })),
  ),
  bank_entry: rowsOf(
    fc
      .tuple(id, fc.nat(1), fc.constantFrom('unmatched', 'assigned'))
      .map(([rowId, day, state]) => bankEntry(rowId, { booked_on: `d${day}`, state })),
  ),
}
