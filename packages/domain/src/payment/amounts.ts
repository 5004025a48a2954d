import { invariant } from '../guard.ts'
import { hasFailed, isUndecided, type PaymentType, rootOf, type Transaction, type Tree } from './transaction.ts'

/** What an authorisation holds on the shopper's account. Amounts in minor units. */
export interface Hold {
  /** Approved preauthorisations, increments included, less what was reversed. */
  readonly authorisedMinor: number
  readonly capturedMinor: number
  /** Taken away by captures and reversals that are still undecided. */
  readonly reservedMinor: number
  /** What the shopper's account still holds, whether or not it can be captured: 0 once closed by sequence=FINAL. */
  readonly heldMinor: number
  /** What can still be captured or reversed: 0 once reversed, closed by sequence=FINAL or expired. */
  readonly openMinor: number
  /** Captures that count against numberOfCaptures: a reversed one was never sent for clearing and does not. */
  readonly captures: number
  readonly capturesMax: number
  /** Nothing of the authorisation is left. */
  readonly reversed: boolean
  /** sequence=FINAL was sent, so that a reversed capture no longer reopens the hold. */
  readonly final: boolean
  readonly expired: boolean
}

/**
 * The hold of a payment that began with a preauthorisation. Its increments share it.
 *
 * An undecided transaction takes its amount away already, but gives nothing yet: whatever becomes of it, no more is
 * captured than was authorised.
 *
 * @param atMs the moment for which expiry is judged, epoch milliseconds
 */
export function holdOf(tree: Tree, atMs: number): Hold {
  const root = rootOf(tree)
  invariant(root.type === 'PA', 'only a preauthorisation holds anything')
  let authorisedMinor = 0
  let capturedMinor = 0
  let reservedMinor = 0
  let releasedMinor = 0
  let captures = 0
  let final = false
  let expiresAtMs = 0
  for (const transaction of tree.transactions) {
    const { type, status, amountMinor, facts } = transaction
    if (hasFailed(transaction)) continue
    const approved = status === 'ACK'
    if (type === 'PA' && approved) {
      authorisedMinor += amountMinor
      expiresAtMs = Math.max(expiresAtMs, facts.expiresAtMs ?? 0)
    } else if (type === 'CP') {
      final ||= facts.final === true
      if (reversalOf(tree, transaction)?.status === 'ACK') continue
      captures += 1
      if (approved) capturedMinor += amountMinor
      else reservedMinor += amountMinor
    } else if (type === 'RV' && transaction.referencedId === root.id) {
      final ||= facts.final === true
      if (facts.expiry) releasedMinor += amountMinor
      else if (approved) authorisedMinor -= amountMinor
      else reservedMinor += amountMinor
    }
  }
  const leftMinor = authorisedMinor - capturedMinor - reservedMinor
  invariant(leftMinor >= 0, 'captured is at most authorised')
  const expired = expiresAtMs > 0 && atMs >= expiresAtMs
  return {
    authorisedMinor,
    capturedMinor,
    reservedMinor,
    heldMinor: final ? 0 : leftMinor - releasedMinor,
    openMinor: final || expired ? 0 : leftMinor,
    captures,
    capturesMax: root.facts.numberOfCaptures ?? 1,
    reversed: root.amountMinor > 0 && authorisedMinor === 0,
    final,
    expired,
  }
}

/** What is left of a transaction that moved money: a debit, a capture, a payout. Amounts in minor units. */
export interface Charge {
  /** What it moved; 0 if it was not approved or is reversed. */
  readonly capturedMinor: number
  readonly refundedMinor: number
  /** Charged back, less what was won back. More than 0 while a chargeback is open. */
  readonly chargedBackMinor: number
  /**
   * What can still be refunded or charged back: an undecided refund takes its amount away already, such a reversal all
   * of it.
   */
  readonly refundableMinor: number
}

/**
 * The charge of one transaction that moved money. Refunds and chargebacks belong to the transaction they refer to, not
 * to the payment. A refund is a charge, too: it can be charged back, when the shopper's bank sends it back. That does
 * not make its amount refundable again.
 */
export function chargeOf(tree: Tree, transaction: Transaction): Charge {
  const reversal = reversalOf(tree, transaction)
  const capturedMinor = transaction.status === 'ACK' && reversal?.status !== 'ACK' ? transaction.amountMinor : 0
  let refundedMinor = 0
  let reservedMinor = reversal && isUndecided(reversal) ? capturedMinor : 0
  for (const one of tree.transactions) {
    if (one.type !== 'RF' || one.referencedId !== transaction.id) continue
    if (one.status === 'ACK') refundedMinor += one.amountMinor
    if (isUndecided(one)) reservedMinor += one.amountMinor
  }
  const chargedBackMinor = chargedBackMinorOf(tree, transaction)
  const refundableMinor = capturedMinor - refundedMinor - chargedBackMinor - reservedMinor
  invariant(refundableMinor >= 0, 'refunded and charged back is at most captured')
  return { capturedMinor, refundedMinor, chargedBackMinor, refundableMinor }
}

/**
 * What is charged back of a transaction and not won back: its chargebacks, less their reversals, plus what was charged
 * back of those a second time.
 */
export const chargedBackMinorOf = (tree: Tree, transaction: Transaction): number =>
  sumOf(tree, 'CB', transaction, (chargeback) => chargeback.amountMinor - wonBackMinorOf(tree, chargeback))

const wonBackMinorOf = (tree: Tree, chargeback: Transaction): number =>
  sumOf(tree, 'CR', chargeback, (reversal) => reversal.amountMinor - chargedBackMinorOf(tree, reversal))

/** What of a chargeback is not reversed yet. */
export const reversibleMinorOf = (tree: Tree, chargeback: Transaction): number =>
  chargeback.amountMinor - sumOf(tree, 'CR', chargeback, ({ amountMinor }) => amountMinor)

/** Adds up what was approved of a type that refers to the transaction. */
function sumOf(tree: Tree, type: PaymentType, { id }: Transaction, amountOf: (one: Transaction) => number): number {
  let sumMinor = 0
  for (const one of tree.transactions) {
    if (one.type === type && one.referencedId === id && one.status === 'ACK') sumMinor += amountOf(one)
  }
  return sumMinor
}

/** What the whole payment moved, gave back and lost, in minor units. */
export function totalsOf(tree: Tree): Omit<Charge, 'refundableMinor'> {
  let capturedMinor = 0
  let refundedMinor = 0
  let chargedBackMinor = 0
  for (const transaction of tree.transactions) {
    if (!movesMoney[transaction.type]) continue
    const charge = chargeOf(tree, transaction)
    capturedMinor += charge.capturedMinor
    refundedMinor += charge.refundedMinor
    chargedBackMinor += charge.chargedBackMinor
  }
  return { capturedMinor, refundedMinor, chargedBackMinor }
}

/** The sum of all that the payment ever moved, undecided and reversed included: what bounds a further charge. */
export function movedMinorOf(tree: Tree): number {
  let movedMinor = 0
  for (const transaction of tree.transactions) {
    if (movesMoney[transaction.type] && !hasFailed(transaction)) movedMinor += transaction.amountMinor
  }
  return movedMinor
}

/** The types that are charges: they can be refunded, a hold and what corrects a charge cannot. */
const movesMoney: Readonly<Record<PaymentType, boolean>> = {
  PA: false,
  DB: true,
  CD: true,
  CP: true,
  RV: false,
  RF: false,
  RB: true,
  CB: false,
  CR: false,
  RC: true,
}

/** The reversal of a charge, approved or undecided: there is one at most, for the whole of it. */
function reversalOf(tree: Tree, { id }: Transaction): Transaction | undefined {
  return tree.transactions.find((one) => one.type === 'RV' && one.referencedId === id && !hasFailed(one))
}
