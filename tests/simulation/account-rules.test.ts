import type { BankEntryRow, PayoutRow, PostingRow } from '@tollgate/storage'
import { expect, test } from 'vitest'
import { type AccountDisk, checkAccounts } from './account-rules.ts'

const entryOf = (kind: string, amount: number, changes: Partial<PostingRow> = {}): PostingRow => ({
  transaction_id: 'payout/o1',
  kind,
  merchant: 'm1',
  acquirer: '',
  currency: 'EUR',
  day: 1,
  amount_minor: amount,
  fee_minor: 0,
  reference: null,
  ...changes,
})
const ofBank = (kind: string, amount: number) => entryOf(kind, amount, { transaction_id: 'bank/b1/0' })

const payoutOf = (state: string): PayoutRow => ({
  id: 'o1',
  merchant: 'm1',
  currency: 'EUR',
  amount_minor: 500,
  state,
  origin: 'operator',
  requested_minor: null,
  terms_entity_id: 'm1',
  terms_starts_at_ms: 0,
  holder: 'Shop Ltd',
  last4: '3000',
  created_at_ms: 0,
  changed_at_ms: 0,
})

const bankEntryOf = (state: string, changes: Partial<BankEntryRow> = {}): BankEntryRow => ({
  id: 'b1',
  file_id: 'f1',
  number: 1,
  account: 'DE02701500000000594937',
  booked_on: '2026-06-16',
  value_on: null,
  amount_minor: 500,
  currency: 'EUR',
  direction: 'DEBIT',
  booking: 'PAYOUT',
  reference: null,
  end_to_end_id: null,
  rows_minor: 0,
  state,
  reason: '',
  payout_id: null,
  explanation: null,
  changes: 0,
  created_at_ms: 0,
  changed_at_ms: 0,
  ...changes,
})

interface Rows {
  readonly postings: readonly PostingRow[]
  readonly payouts?: readonly PayoutRow[]
  readonly bankEntries?: readonly BankEntryRow[]
  readonly availableTo?: number
}

const diskOf = ({ postings, payouts = [], bankEntries = [], availableTo = 0 }: Rows): AccountDisk => ({
  posting: new Map(postings.map((row, index) => [`${index}`, row])),
  payout: new Map(payouts.map((row) => [row.id, row])),
  bank_entry: new Map(bankEntries.map((row) => [row.id, row])),
  merchant_account: new Map([
    ['m1', { merchant: 'm1', available_to: availableTo, released_to: 0, paid_to: 0, changes: 1 }],
  ]),
})

const sale = entryOf('charge', 500, { transaction_id: 'p1', fee_minor: 20 })
const instructed = entryOf('payout', 500)
const confirmed = ofBank('payoutPaid', 500)
const file = JSON.stringify({ kind: 'settlementFile', fileId: 'f2', acquirer: 'north', netMinor: -480 })

test.each<Rows>([
  { postings: [sale] },
  { postings: [sale, entryOf('available', 480)], availableTo: 1 },
  { postings: [instructed], payouts: [payoutOf('instructed')] },
  { postings: [instructed, entryOf('payoutCancellation', 500)], payouts: [payoutOf('cancelled')] },
  {
    postings: [instructed, confirmed],
    payouts: [payoutOf('confirmed')],
    bankEntries: [bankEntryOf('explained', { payout_id: 'o1' })],
  },
  { postings: [ofBank('unmatchedDebit', 500)], bankEntries: [bankEntryOf('unmatched')] },
  { postings: [ofBank('unmatchedDebit', 400)], bankEntries: [bankEntryOf('unmatched', { rows_minor: -100 })] },
  {
    postings: [ofBank('unmatchedDebit', 500), ofBank('unmatchedDebit', -500), ofBank('bankCharge', 500)],
    bankEntries: [bankEntryOf('assigned', { explanation: '{"kind":"charges"}' })],
  },
  {
    postings: [ofBank('acquirerDebit', 20)],
    bankEntries: [bankEntryOf('assigned', { explanation: file })],
  },
])('the invariants of accounts hold: %#', (rows) => {
  expect(() => checkAccounts(diskOf(rows))).not.toThrow()
})

test.each<[Rows, RegExp]>([
  [{ postings: [sale], availableTo: 1 }, /480 of m1 {2}EUR has not become available, or twice/],
  [{ postings: [sale, entryOf('available', 480), entryOf('available', 480)], availableTo: 1 }, /or twice/],
  [{ postings: [instructed] }, /0 of m1 EUR are on their way, and the ledger has 500/],
  [{ postings: [], payouts: [payoutOf('instructed')] }, /500 of m1 EUR are on their way/],
  [{ postings: [instructed, instructed], payouts: [payoutOf('instructed')] }, /the ledger has 1000/],
  [{ postings: [instructed, confirmed], payouts: [payoutOf('instructed')] }, /are on their way/],
  [{ postings: [instructed, confirmed, confirmed], payouts: [payoutOf('confirmed')] }, /are on their way/],
  [{ postings: [entryOf('reserveRelease', 1)] }, /-1 of m1 EUR is withheld/],
  [{ postings: [], bankEntries: [bankEntryOf('unmatched')] }, /-500 of {2}EUR are of the bank/],
  [
    { postings: [ofBank('bankCharge', 500)], bankEntries: [bankEntryOf('unmatched')] },
    /-500 of {2}EUR are in suspense, and the ledger has 0/,
  ],
])('a violation of the invariants of accounts is found: %#', (rows, message) => {
  expect(() => checkAccounts(diskOf(rows))).toThrow(message)
})
