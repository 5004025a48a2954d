import { expect, test } from 'vitest'
import { exampleRow } from '../testing/match-examples.ts'
import { bankBookingOf } from './bank-booking.ts'

const row = { ...exampleRow, settlementId: 'B-1', uniqueId: 'a'.repeat(32) }
const booking = bankBookingOf(row, 'DE1')

test.each([
  ['the line', { line: 7 }],
  ['a reference of the bank', { connectorTxId1: 'R1' }],
  ['the holder', { holder: 'Jane Jones' }],
])('%s may differ between the messages about a booking', (_name, change) => {
  expect(bankBookingOf({ ...row, ...change }, 'DE1')).toBe(booking)
})

test.each([
  ['reference', { settlementId: 'B-2' }],
  ['day', { settledOn: '2026-11-22' }],
  ['kind', { kind: 'CHARGEBACK' as const }],
  ['type', { type: 'CREDIT' as const }],
  ['direction', { cashflow: 'NEG' as const }],
  ['amount', { settlementAmountMinor: 1 }],
  ['currency', { settlementCurrency: 'USD' }],
  ['payment', { uniqueId: 'b'.repeat(32) }],
])('rows of another %s are other bookings', (_name, change) => {
  expect(bankBookingOf({ ...row, ...change }, 'DE1')).not.toBe(booking)
})

test('another account has other bookings, and a row without a reference is no booking', () => {
  expect(bankBookingOf(row, 'DE2')).not.toBe(booking)
  expect(bankBookingOf({ ...row, settlementId: undefined }, 'DE1')).toBeUndefined()
})
