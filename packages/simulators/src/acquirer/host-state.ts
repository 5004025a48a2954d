import { limits } from '../limits.ts'
import { BoundedMap } from './bounded-map.ts'
import type { StoredCard } from './card.ts'
import type { HostAnswer } from './host-answer.ts'

/** The kinds of transactions. increment: a further authorisation that raises a hold. */
export type TransactionKind =
  | 'authorisation'
  | 'increment'
  | 'capture'
  | 'sale'
  | 'refund'
  | 'payout'
  | 'verification'
  | 'inquiry'

/** The circumstances of a message at the point of sale, without its secrets. */
export interface PointOfSale {
  /** Field 22. */
  readonly entryMode: string
  /** Field 23. */
  readonly cardSequence: string | undefined
  /** Field 25. */
  readonly condition: string
  /** Fields 13 and 12: MMDDhhmmss. */
  readonly localTime: string
  /** Field 60. */
  readonly terminal: string | undefined
  /** Field 61. */
  readonly sale: string | undefined
  readonly hasPin: boolean
  readonly hasChipData: boolean
}

/** Amounts of a transaction in minor units. Those of an authorisation or sale include its follow-ups. */
export interface TransactionAmounts {
  readonly authorisedMinor: number
  readonly capturedMinor: number
  readonly refundedMinor: number
  /** The sum that reversals have taken back. */
  readonly reversedMinor: number
  readonly isReversed: boolean
  /** Whether a final capture has ended the hold. */
  readonly isFinal: boolean
}

/** A request or advice that the host has decided, approved or not. */
export interface HostTransaction extends TransactionAmounts {
  readonly id: number
  readonly kind: TransactionKind
  readonly type: string
  readonly reference: string
  /** The authorisation or sale that this transaction follows. */
  readonly rootId: number | undefined
  readonly terminal: string
  readonly merchant: string
  readonly stan: string
  readonly transmittedAt: string
  readonly rrn: string
  readonly networkId: string
  readonly card: StoredCard
  readonly pointOfSale: PointOfSale
  readonly account: string
  readonly currency: string
  readonly requestedMinor: number
  readonly responseCode: string
  readonly approvalCode: string | undefined
  /** The business day of its batch, yyyy-MM-dd. */
  readonly businessDay: string
  /** The number of its batch among those of its terminal, currency and business day. */
  readonly batch: number
}

/** Sums of a batch, by the terms of fields 74 to 77 and 86 to 89. */
export const totalItems = ['credits', 'creditReversals', 'debits', 'debitReversals'] as const

export type TotalItem = (typeof totalItems)[number]

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
  | { readonly kind: 'post'; readonly batch: BatchKey; readonly item: TotalItem; readonly amountMinor: number }
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
      const key = batchKeyOf(change.batch)
      const { merchant, terminal, currency, businessDay, number, totals } = openBatchOf(state, change.batch, key)
      const { count, amountMinor } = totals[change.item]
      const next = { ...totals }
      next[change.item] = { count: count + 1, amountMinor: amountMinor + change.amountMinor }
      state.batches.set(key, { merchant, terminal, currency, businessDay, number, totals: next })
      return
    }
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
