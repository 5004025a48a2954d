import type { CurrencyCode } from '@tollgate/contract'
import type { Acquirer } from './installation.ts'

/** A transaction as its answer states it. */
export interface Transaction {
  readonly id: string
  readonly rootId: string
  readonly type: string
  readonly amountMinor: number
  readonly currency: CurrencyCode
  /** The number of the merchant. */
  readonly merchant: number
  readonly acquirer: Acquirer
  readonly atMs: number
  /** The business day of the acquirer, yyyy-MM-dd. */
  readonly day: string
  readonly merchantTransactionId: string
  readonly referenced: Transaction | undefined
  status: 'approved' | 'declined' | 'pending'
  /** ConnectorTxID2 of the answer, the only reference that no other transaction of the acquirer has. */
  reference: string
  isReversed: boolean
}

/** A chargeback of a transaction by its acquirer, or the reversal of one. */
export interface Dispute {
  readonly stage: 'CHARGEBACK' | 'CHARGEBACK REVERSAL'
  readonly of: Transaction
  readonly amountMinor: number
  readonly day: string
  /** Whether the payment still had the amount. Otherwise the service cannot record the chargeback. */
  readonly isRecordable: boolean
}

/** What happened so far. Transactions of a payment are in the order of their requests. */
export interface Happened {
  readonly transactions: readonly Transaction[]
  readonly disputes: readonly Dispute[]
}

const APPROVED = '000.100.112'

/** The state of a transaction by its result code. */
export function statusOf(code: string): Transaction['status'] {
  if (code === APPROVED) return 'approved'
  return /^000\.200|^900\.100\.300/.test(code) ? 'pending' : 'declined'
}

export const isCharge = ({ type }: Transaction): boolean => type === 'DB' || type === 'CP' || type === 'RB'

const sumOf = (transactions: readonly Transaction[]): number =>
  transactions.reduce((sum, { amountMinor }) => sum + amountMinor, 0)

const followUpsOf = ({ transactions }: Happened, of: Transaction, type: string): readonly Transaction[] =>
  transactions.filter((each) => each.referenced === of && each.type === type && each.status !== 'declined')

/** The captures of a preauthorisation that are not reversed. */
export const capturesOf = (happened: Happened, hold: Transaction): readonly Transaction[] =>
  followUpsOf(happened, hold, 'CP').filter(({ isReversed }) => !isReversed)

/** The part of a preauthorisation that is neither captured nor released. */
export const heldMinorOf = (happened: Happened, hold: Transaction): number =>
  hold.amountMinor - sumOf(capturesOf(happened, hold)) - sumOf(followUpsOf(happened, hold, 'RV'))

/** The part of a charge that is not refunded. */
export const refundableMinorOf = (happened: Happened, charge: Transaction): number =>
  charge.amountMinor - sumOf(followUpsOf(happened, charge, 'RF'))
