import { type Guard, firstFailure, type Refused } from '../guard.ts'
import { isUndecided, type TransactionStatus } from '../payment/transaction.ts'

/** A payment or registration that a merchant has prepared for a shopper. */
export interface Checkout {
  /** Status of the last payment or registration; undefined: there is none yet. */
  readonly status: TransactionStatus | undefined
  readonly expiresAtMs: number
  /** Number of declined attempts. */
  readonly declines: number
  /** Number of declines that ends the checkout; Infinity: no bound. */
  readonly declinesMax: number
}

/**
 * The state of a checkout, which is derived and never stored. A checkout stays open after a declined payment: the
 * shopper may retry or pay in another way, until there are too many declines.
 */
export type CheckoutState = 'OPEN' | 'IN_PROGRESS' | 'DONE' | 'EXHAUSTED' | 'EXPIRED'

/** @param atMs epoch milliseconds */
export function checkoutState({ status, expiresAtMs, declines, declinesMax }: Checkout, atMs: number): CheckoutState {
  if (atMs >= expiresAtMs) return 'EXPIRED'
  if (status === 'ACK') return 'DONE'
  if (status !== undefined && isUndecided({ status })) return 'IN_PROGRESS'
  return declines >= declinesMax ? 'EXHAUSTED' : 'OPEN'
}

interface Subject {
  readonly checkout: Checkout
  readonly atMs: number
}

const isIn =
  (state: CheckoutState) =>
  ({ checkout, atMs }: Subject) =>
    checkoutState(checkout, atMs) === state

/** Guards of submissions by the shopper and of changes by the merchant. */
const guards: readonly Guard<Subject>[] = [
  {
    code: '700.400.100',
    reason: 'the checkout is completed already',
    holds: (subject) => !isIn('DONE')(subject),
  },
  {
    code: '800.600.100',
    reason: 'a payment of this checkout is in progress: read its status before another attempt',
    holds: (subject) => !isIn('IN_PROGRESS')(subject),
  },
  {
    code: '800.120.100',
    reason: 'too many attempts to pay this checkout were declined: create another checkout',
    holds: (subject) => !isIn('EXHAUSTED')(subject),
  },
]

/**
 * The refusal to submit or change a checkout; undefined if the checkout is open or expired. Callers answer an expired
 * checkout like an unknown one.
 */
export const checkoutRefusal = (subject: Subject): Refused | undefined => firstFailure(guards, subject)
