import type { StoredCard } from './card.ts'

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
  /** The name on the statement of the cardholder. */
  readonly descriptor: string | undefined
  /** The number of a capture among those of its authorisation, from 1; undefined if the message does not state it. */
  readonly clearingSequence: number | undefined
  /** The business day of its batch, yyyy-MM-dd. */
  readonly businessDay: string
  /** The number of its batch among those of its terminal, currency and business day. */
  readonly batch: number
}

/** Sums of a batch, by the terms of fields 74 to 77 and 86 to 89. */
export const totalItems = ['credits', 'creditReversals', 'debits', 'debitReversals'] as const

export type TotalItem = (typeof totalItems)[number]
