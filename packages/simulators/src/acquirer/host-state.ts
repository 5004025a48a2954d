import { limits } from '../limits.ts'
import { BoundedMap } from './bounded-map.ts'
import type { HostAnswer } from './host-answer.ts'
import {
  addBooking,
  type Bookings,
  type Chargeback,
  createBookings,
  type DisputeStage,
  type TransactionFee,
} from './settlement/bookings.ts'
import type { HostTransaction, TotalItem, TransactionAmounts } from './transaction.ts'

export interface Total {
  readonly count: number
  readonly amountMinor: number
}

export interface BatchKey {
  readonly merchant: string
  readonly terminal: string
  readonly currency: string
  /** yyyy-MM-dd. */
  readonly businessDay: string
}

/** The transactions of a merchant's terminal in one currency and business day since the last close. */
export interface Batch extends BatchKey {
  readonly number: number
  readonly totals: Readonly<Record<TotalItem, Total>>
}

export interface ClosedBatch extends Batch {
  readonly closedBy: 'client' | 'host'
  readonly closedAtMs: number
}

/** One change of the state. A journal consists of them. */
export type Change =
  | { readonly kind: 'add'; readonly transaction: HostTransaction }
  | { readonly kind: 'update'; readonly id: number; readonly amounts: Partial<TransactionAmounts> }
  | { readonly kind: 'balance'; readonly account: string; readonly availableMinor: number }
  | {
      readonly kind: 'post'
      readonly id: number
      readonly batch: BatchKey
      readonly item: TotalItem
      readonly amountMinor: number
      /** The business day of the message; that of the batch may be an earlier one. */
      readonly businessDay: string
    }
  | { readonly kind: 'charge'; readonly id: number; readonly fee: TransactionFee; readonly businessDay: string }
  | {
      readonly kind: 'dispute'
      readonly id: number
      readonly stage: DisputeStage
      readonly chargeback: Chargeback
      readonly businessDay: string
    }
  | { readonly kind: 'deliver'; readonly businessDay: string }
  | { readonly kind: 'close'; readonly batch: BatchKey; readonly by: ClosedBatch['closedBy'] }
  | { readonly kind: 'reverseEarly'; readonly reference: string }

/** The changes of one message, which take effect together, and the answer for its repeats. */
export interface JournalEntry {
  readonly atMs: number
  readonly changes: readonly Change[]
  readonly answer?: { readonly key: string; readonly answer: HostAnswer } | undefined
}

/** The memory of the host. Only `applyEntry` changes it. */
export interface HostState {
  readonly transactions: Map<number, HostTransaction>
  readonly byReference: Map<string, number>
  /** Authorisations and sales by their network transaction id, and by terminal and retrieval reference number. */
  readonly byNetworkId: Map<string, number>
  readonly byRrn: Map<string, number>
  /** Available amounts by card and currency. */
  readonly balances: Map<string, number>
  readonly batches: Map<string, Batch>
  readonly closedBatches: Map<string, ClosedBatch>
  /** References of messages that were reversed before they arrived. */
  readonly earlyReversals: Map<string, true>
  readonly answers: Map<string, HostAnswer>
  readonly bookings: Bookings
  /** Open chargebacks by the id of the debit. */
  readonly chargebacks: Map<number, Chargeback>
  /** The id of the newest transaction. */
  lastId: number
}

export function createHostState(): HostState {
  const state: HostState = {
    transactions: new BoundedMap(limits.acquirerTransactionsMax, (oldest) => removeFromIndexes(state, oldest)),
    byReference: new Map(),
    byNetworkId: new Map(),
    byRrn: new Map(),
    balances: new BoundedMap(limits.acquirerAccountsMax),
    batches: new BoundedMap(limits.acquirerBatchesMax),
    closedBatches: new BoundedMap(limits.acquirerClosedBatchesMax),
    earlyReversals: new BoundedMap(limits.acquirerEarlyReversalsMax),
    answers: new BoundedMap(limits.acquirerTransactionsMax),
    bookings: createBookings(),
    chargebacks: new BoundedMap(limits.acquirerChargebacksMax),
    lastId: 0,
  }
  return state
}

const noTotal: Total = { count: 0, amountMinor: 0 }
const noTotals = { credits: noTotal, creditReversals: noTotal, debits: noTotal, debitReversals: noTotal }

export const batchKeyOf = ({ merchant, terminal, currency, businessDay }: BatchKey): string =>
  `${merchant} ${terminal} ${currency} ${businessDay}`

export const rrnKeyOf = ({ merchant, terminal, rrn }: Pick<HostTransaction, 'merchant' | 'terminal' | 'rrn'>): string =>
  `${merchant} ${terminal} ${rrn}`

/** The open batch of a business day, which begins with its first transaction. @param key its text, if known */
export const openBatchOf = ({ batches }: HostState, batch: BatchKey, key = batchKeyOf(batch)): Batch =>
  batches.get(key) ?? {
    merchant: batch.merchant,
    terminal: batch.terminal,
    currency: batch.currency,
    businessDay: batch.businessDay,
    number: 1,
    totals: noTotals,
  }

/** Applies the changes of one message: now, or while the journal is replayed. */
export function applyEntry(state: HostState, { atMs, changes, answer }: JournalEntry): void {
  for (const change of changes) applyChange(state, change, atMs)
  if (answer !== undefined) state.answers.set(answer.key, answer.answer)
}

function applyChange(state: HostState, change: Change, atMs: number): void {
  switch (change.kind) {
    case 'add':
      return add(state, change.transaction)
    case 'update': {
      const transaction = state.transactions.get(change.id)
      if (transaction !== undefined) state.transactions.set(change.id, { ...transaction, ...change.amounts })
      return
    }
    case 'balance':
      state.balances.set(change.account, change.availableMinor)
      return
    case 'post': {
      const transaction = state.transactions.get(change.id)
      if (transaction !== undefined) {
        const { item, amountMinor, businessDay } = change
        addBooking(state.bookings, { kind: 'posting', item, amountMinor, transaction, businessDay, atMs })
      }
      const key = batchKeyOf(change.batch)
      const { merchant, terminal, currency, businessDay, number, totals } = openBatchOf(state, change.batch, key)
      const { count, amountMinor } = totals[change.item]
      const next = { ...totals }
      next[change.item] = { count: count + 1, amountMinor: amountMinor + change.amountMinor }
      state.batches.set(key, { merchant, terminal, currency, businessDay, number, totals: next })
      return
    }
    case 'charge': {
      const { id, fee, businessDay } = change
      const transaction = state.transactions.get(id)
      if (transaction !== undefined) addBooking(state.bookings, { kind: 'fee', fee, transaction, businessDay, atMs })
      return
    }
    case 'dispute': {
      const { id, stage, chargeback, businessDay } = change
      if (stage === 'CHARGEBACK') state.chargebacks.set(id, chargeback)
      else state.chargebacks.delete(id)
      const transaction = state.transactions.get(id)
      if (transaction !== undefined)
        addBooking(state.bookings, { kind: 'dispute', stage, ...chargeback, transaction, businessDay, atMs })
      return
    }
    case 'deliver':
      state.bookings.deliveredDay = change.businessDay
      return
    case 'close': {
      const key = batchKeyOf(change.batch)
      const batch = openBatchOf(state, change.batch, key)
      state.closedBatches.set(`${key} ${batch.number}`, { ...batch, closedBy: change.by, closedAtMs: atMs })
      state.batches.set(key, { ...batch, number: batch.number + 1, totals: noTotals })
      return
    }
    case 'reverseEarly':
      state.earlyReversals.set(change.reference, true)
      return
  }
}

function add(state: HostState, transaction: HostTransaction): void {
  const { id, reference, networkId, rootId } = transaction
  state.transactions.set(id, transaction)
  state.lastId = id
  state.byReference.set(reference, id)
  if (rootId !== undefined) return
  state.byNetworkId.set(networkId, id)
  state.byRrn.set(rrnKeyOf(transaction), id)
}

function removeFromIndexes(state: HostState, transaction: HostTransaction): void {
  const { id, reference, networkId } = transaction
  const rrnKey = rrnKeyOf(transaction)
  if (state.byReference.get(reference) === id) state.byReference.delete(reference)
  if (state.byNetworkId.get(networkId) === id) state.byNetworkId.delete(networkId)
  if (state.byRrn.get(rrnKey) === id) state.byRrn.delete(rrnKey)
}
