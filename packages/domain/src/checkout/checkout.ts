import { type Guard, firstFailure, type Refused } from '../guard.ts'
import { isUndecided, type TransactionStatus } from '../payment/transaction.ts'

/** What a merchant has prepared for a shopper to complete. */
export interface Checkout {
  /** Of the last payment or registration that was made of it; undefined: none was. */
  readonly status: TransactionStatus | undefined
  readonly expiresAtMs: number
  /** Attempts that were declined. */
  readonly declines: number
  /** With as many declines the checkout ends; Infinity: no bound. */
  readonly declinesMax: number
}

/**
 * Where a checkout stands. Derived, never stored. A payment that was declined leaves it open: the shopper may try
 * again, or pay in another way, until the declines are too many.
 */
export type CheckoutState = 'OPEN' | 'UNDER_WAY' | 'DONE' | 'EXHAUSTED' | 'EXPIRED'

/** @param atMs the moment for which it is judged, epoch milliseconds */
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

/** What must hold for a shopper to submit it, or for the merchant to change it. */
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

/** Why it cannot be submitted or changed; undefined if it can. An expired one is as good as none. */
export const whyNotOpen = (subject: Subject): Refused | undefined => firstFailure(guards, subject)
