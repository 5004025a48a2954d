import { type Hold, holdOf, reversibleMinorOf, totalsOf } from './amounts.ts'
import { hasFailed, isUndecided, type PaymentType, rootOf, type Transaction, type Tree } from './transaction.ts'

/** The state of a payment, for people and queries. It is derived and never stored. */
export type PaymentState =
  | 'REJECTED'
  | 'PENDING'
  /** A preauthorisation of zero: a verified account without a hold. */
  | 'VERIFIED'
  | 'AUTHORISED'
  | 'PARTIALLY_CAPTURED'
  | 'CAPTURED'
  | 'VOIDED'
  | 'EXPIRED'
  | 'PARTIALLY_REFUNDED'
  | 'REFUNDED'
  | 'CHARGED_BACK'
  /** All chargebacks were reversed in favour of the merchant. */
  | 'CHARGEBACK_REVERSED'

/** @param atMs the time at which expiry is evaluated, epoch milliseconds */
export function stateOf(tree: Tree, atMs: number): PaymentState {
  const root = rootOf(tree)
  if (hasFailed(root)) return 'REJECTED'
  if (isUndecided(root)) return 'PENDING'
  const chargebacks = approvedOf(tree, 'CB')
  if (chargebacks.some((chargeback) => reversibleMinorOf(tree, chargeback) > 0)) return 'CHARGED_BACK'
  const { capturedMinor, refundedMinor } = totalsOf(tree)
  if (refundedMinor > 0) return refundedMinor === capturedMinor ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
  if (chargebacks.length > 0) return 'CHARGEBACK_REVERSED'
  if (root.type !== 'PA') return capturedMinor > 0 ? 'CAPTURED' : 'VOIDED'
  return root.amountMinor === 0 ? 'VERIFIED' : stateOfHold(tree, holdOf(tree, atMs))
}

/**
 * The state of an authorisation without refunds and chargebacks. An authorisation with captures is CAPTURED once no
 * amount remains on hold: it was captured or released in full, was closed by sequence=FINAL, or has expired.
 */
function stateOfHold(tree: Tree, { authorisedMinor, capturedMinor, reservedMinor, ...hold }: Hold): PaymentState {
  // A receipt (RC) counts like a capture.
  const paidMinor = approvedOf(tree, 'RC').reduce((sum, { amountMinor }) => sum + amountMinor, capturedMinor)
  const isClosed = hold.isFinal || hold.isExpired || paidMinor >= authorisedMinor
  if (paidMinor > 0) return isClosed ? 'CAPTURED' : 'PARTIALLY_CAPTURED'
  if (hold.isReversed || (hold.isFinal && reservedMinor === 0)) return 'VOIDED'
  return hold.isExpired ? 'EXPIRED' : 'AUTHORISED'
}

const approvedOf = (tree: Tree, type: PaymentType): readonly Transaction[] =>
  tree.transactions.filter((transaction) => transaction.type === type && transaction.status === 'ACK')
