import { type Hold, holdOf, totalsOf } from './amounts.ts'
import { rootOf, type Tree } from './transaction.ts'

/** Where a payment stands, for people and queries. Derived, never stored. */
export type PaymentState =
  | 'REJECTED'
  | 'PENDING'
  /** A preauthorisation of zero: the account exists, nothing is held. */
  | 'VERIFIED'
  | 'AUTHORISED'
  | 'PARTIALLY_CAPTURED'
  | 'CAPTURED'
  | 'VOIDED'
  | 'EXPIRED'
  | 'PARTIALLY_REFUNDED'
  | 'REFUNDED'

/** @param atMs the moment for which expiry is judged, epoch milliseconds */
export function stateOf(tree: Tree, atMs: number): PaymentState {
  const root = rootOf(tree)
  if (root.status === 'NOK') return 'REJECTED'
  if (root.status === 'PENDING') return 'PENDING'
  const { capturedMinor, refundedMinor } = totalsOf(tree)
  if (refundedMinor > 0) return refundedMinor === capturedMinor ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
  if (root.type !== 'PA') return capturedMinor > 0 ? 'CAPTURED' : 'VOIDED'
  return root.amountMinor === 0 ? 'VERIFIED' : stateOfHold(holdOf(tree, atMs))
}

/** Of an authorisation from which nothing was refunded. One that closed with money taken counts as captured. */
function stateOfHold({ authorisedMinor, capturedMinor, reservedMinor, reversed, final, expired }: Hold): PaymentState {
  const closed = final || expired || capturedMinor === authorisedMinor
  if (capturedMinor > 0) return closed ? 'CAPTURED' : 'PARTIALLY_CAPTURED'
  if (reversed || (final && reservedMinor === 0)) return 'VOIDED'
  return expired ? 'EXPIRED' : 'AUTHORISED'
}
