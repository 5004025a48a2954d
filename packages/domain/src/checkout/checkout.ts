import { type Guard, firstFailure, type Refused } from '../guard.ts'
import { isUndecided, type TransactionStatus } from '../payment/transaction.ts'

/** A payment or registration that a merchant has prepared for a shopper. */
export interface Checkout {
  /** Of its last payment or registration; undefined: there is none. */
  readonly status: TransactionStatus | undefined
  readonly expiresAtMs: number
  /** Attempts that were declined. */
  readonly declines: number
  /** Declines that end the checkout; Infinity: no bound. */
  readonly declinesMax: number
}

/**
 * The state of a checkout. Derived, never stored. It stays open after a declined payment: the shopper may retry or pay
 * in another way, until there are too many declines.
 */
export type CheckoutState = 'OPEN' | 'UNDER_WAY' | 'DONE' | 'EXHAUSTED' | 'EXPIRED'

/** @param atMs epoch milliseconds */
export function checkoutState({ status, expiresAtMs, declines, declinesMax }: Checkout, atMs: number): CheckoutState {
  if (atMs >= expiresAtMs) return 'EXPIRED'
  if (status === 'ACK') return 'DONE'
  if (status !== undefined && isUndecided({ status })) return 'UNDER_WAY'
  return declines >= declinesMax ? 'EXHAUSTED' : 'OPEN'
}

interface Subject {
  readonly checkout: Checkout
  readonly atMs: number
}

const is =
  (state: CheckoutState) =>
  ({ checkout, atMs }: Subject) =>
    checkoutState(checkout, atMs) === state

/** Guards of submits by the shopper and of changes by the merchant. */
const guards: readonly Guard<Subject>[] = [
  {
    code: '700.400.100',
    reason: 'the checkout is paid: there is nothing left to pay',
    holds: (subject) => !is('DONE')(subject),
  },
  {
    code: '800.600.100',
    reason: 'a payment of this checkout is under way: ask for its status before another is made',
    holds: (subject) => !is('UNDER_WAY')(subject),
  },
  {
    code: '800.120.100',
    reason: 'too many attempts to pay this checkout were declined: create another',
    holds: (subject) => !is('EXHAUSTED')(subject),
  },
]

/** Why it cannot be submitted or changed; undefined if it can. Expired checkouts are unknown to callers. */
export const whyNotOpen = (subject: Subject): Refused | undefined => firstFailure(guards, subject)
