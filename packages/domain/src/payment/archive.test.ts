import { DAY_MS } from '@tollgate/contract'
import { expect, test } from 'vitest'
import { type ArchivableTransaction, reasonToStay, type ReasonToStay } from './archive.ts'

const followUpWindowMs = 100 * DAY_MS
const atMs = Date.UTC(2026, 5)

/** A transaction that was approved a number of days ago. */
const approved = (days: number, changes: Partial<ArchivableTransaction> = {}): ArchivableTransaction => ({
  type: 'DB',
  status: 'ACK',
  createdAtMs: atMs - days * DAY_MS,
  isInUse: false,
  ...changes,
})

const examples: readonly [
  name: string,
  transactions: readonly ArchivableTransaction[],
  reason: ReasonToStay | undefined,
][] = [
  ['an old payment', [approved(101.1)], undefined],
  ['an old refused payment', [approved(101.1, { status: 'NOK' })], undefined],
  ['an old payment that expired', [approved(101.1, { status: 'EXPIRED' })], undefined],
  ['an old registration', [approved(200, { type: 'RG' })], 'registration'],
  ['a registration with an old payment', [approved(200), approved(200, { type: 'RG' })], 'registration'],
  ['a payment without an answer', [approved(200, { status: 'SENT' })], 'undecided'],
  ['a payment with a pending refund', [approved(200), approved(200, { status: 'PENDING' })], 'undecided'],
  ['a payment to which a job refers', [approved(200, { isInUse: true }), approved(200)], 'in use'],
  ['a payment in the window of operations', [approved(100)], 'recent'],
  ['a payment whose operation may be in progress', [approved(101)], 'recent'],
  ['an old payment with a new refund', [approved(200), approved(10)], 'recent'],
  // The order of the reasons
  ['a pending registration', [approved(0, { type: 'RG', status: 'PENDING' })], 'registration'],
  ['a pending payment with a session', [approved(0, { status: 'PENDING', isInUse: true })], 'undecided'],
  ['a new payment with a job', [approved(0, { isInUse: true })], 'in use'],
]

test.each(examples)('%s: the reason to stay in the table of payments', (_name, transactions, reason) => {
  expect(reasonToStay(transactions, atMs, { followUpWindowMs })).toBe(reason)
})
