import { DAY_MS } from '@tollgate/contract'
import type { PaymentLimits } from '../limits.ts'

/** A transaction of any kind, as the rules of the archive need it. */
export interface ArchivableTransaction {
  /** Its type, two letters: of a payment, a registration, a risk check or an authentication. */
  readonly type: string
  readonly status: string
  readonly createdAtMs: number
  /** Whether a job that is not done, a session or a checkout refers to the transaction. */
  readonly isInUse: boolean
}

interface Subject {
  readonly transactions: readonly ArchivableTransaction[]
  readonly atMs: number
  readonly limits: Pick<PaymentLimits, 'followUpWindowMs'>
}

/** Longest time between the decision on an operation and its commit: much longer than any request takes. */
const DECISION_MS = DAY_MS

/** The trees that stay, in the order of decision: each can still be changed. */
const reasonsToStay = [
  {
    /** Later payments, schedules and changes refer to a registration at any time. */
    reason: 'registration',
    applies: ({ transactions }: Subject) => transactions.some(({ type }) => type === 'RG'),
  },
  {
    reason: 'undecided',
    applies: ({ transactions }: Subject) =>
      transactions.some(({ status }) => status === 'SENT' || status === 'PENDING'),
  },
  {
    reason: 'in use',
    applies: ({ transactions }: Subject) => transactions.some(({ isInUse }) => isInUse),
  },
  {
    reason: 'recent',
    applies: ({ transactions, atMs, limits }: Subject) => !isTooOld(transactions, atMs - DECISION_MS, limits),
  },
] as const

export type ReasonToStay = (typeof reasonsToStay)[number]['reason']

/** The reason for which a tree must not be archived yet; undefined: it can be archived. */
export const reasonToStay = (
  transactions: readonly ArchivableTransaction[],
  atMs: number,
  limits: Pick<PaymentLimits, 'followUpWindowMs'>,
): ReasonToStay | undefined => reasonsToStay.find(({ applies }) => applies({ transactions, atMs, limits }))?.reason

/** Whether no operation can refer to a payment with these transactions any more: refunds and disputes are too late. */
export const isTooOld = (
  transactions: readonly Pick<ArchivableTransaction, 'createdAtMs'>[],
  atMs: number,
  { followUpWindowMs }: Pick<PaymentLimits, 'followUpWindowMs'>,
): boolean => transactions.every(({ createdAtMs }) => atMs - createdAtMs > followUpWindowMs)
