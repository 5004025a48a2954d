import { invariant } from '../guard.ts'
import { hasFailed, isUndecided, type PaymentType, rootOf, type Transaction, type Tree } from './transaction.ts'

/** The authorised hold of a payment. Amounts are in minor units. */
export interface Hold {
  /**
   * The sum of approved preauthorisations, including increments, less approved reversals. The system's release of an
   * expired hold does not reduce it.
   */
  readonly authorisedMinor: number
  readonly capturedMinor: number
  /** The amount reserved for undecided captures and reversals. */
  readonly reservedMinor: number
  /** The amount still held on the shopper's account, capturable or not; 0 once the hold is closed by sequence=FINAL. */
  readonly heldMinor: number
  /** The amount available for captures and reversals; 0 once the hold is reversed, closed or expired. */
  readonly openMinor: number
  /** Captures that count against numberOfCaptures. A reversed capture does not: it was never sent for clearing. */
  readonly captures: number
  readonly capturesMax: number
  /** Whether the whole authorisation is reversed. */
  readonly isReversed: boolean
  /** Whether sequence=FINAL was sent: a reversed capture no longer reopens the hold. */
  readonly isFinal: boolean
  readonly isExpired: boolean
  /** Whether an increment or a reversal of the hold is undecided. */
  readonly isChanging: boolean
}

/**
 * The hold of a payment that began with a preauthorisation. Increments share the hold.
 *
 * An undecided capture or reversal reduces the open amount, and an undecided increment does not increase it, so that no
 * more than the authorised amount can be captured, whichever outcome the transaction has.
 *
 * @param atMs the time at which expiry is evaluated, epoch milliseconds
 */
export function holdOf(tree: Tree, atMs: number): Hold {
  const root = rootOf(tree)
  invariant(root.type === 'PA', 'only a preauthorisation has a hold')
  let authorisedMinor = 0
  let capturedMinor = 0
  let reservedMinor = 0
  let releasedMinor = 0
  let captures = 0
  let isFinal = false
  let isChanging = false
  let expiresAtMs = 0
  for (const transaction of tree.transactions) {
    const { type, status, amountMinor, facts } = transaction
    if (hasFailed(transaction)) continue
    const isApproved = status === 'ACK'
    if (type === 'PA') {
      isChanging ||= !isApproved
      if (!isApproved) continue
      authorisedMinor += amountMinor
      expiresAtMs = Math.max(expiresAtMs, facts.expiresAtMs ?? 0)
    } else if (type === 'CP') {
      isFinal ||= facts.final === true
      if (reversalOf(tree, transaction)?.status === 'ACK') continue
      captures += 1
      if (isApproved) capturedMinor += amountMinor
      else reservedMinor += amountMinor
    } else if (type === 'RV' && transaction.referencedId === root.id) {
      isFinal ||= facts.final === true
      isChanging ||= !isApproved
      if (facts.expiry) releasedMinor += amountMinor
      else if (isApproved) authorisedMinor -= amountMinor
      else reservedMinor += amountMinor
    }
  }
  const leftMinor = authorisedMinor - capturedMinor - reservedMinor
  invariant(leftMinor >= 0, 'the captured amount is at most the authorised amount')
  const isExpired = expiresAtMs > 0 && atMs >= expiresAtMs
  return {
    authorisedMinor,
    capturedMinor,
    reservedMinor,
    heldMinor: isFinal ? 0 : leftMinor - releasedMinor,
    openMinor: isFinal || isExpired ? 0 : leftMinor,
    captures,
    capturesMax: root.facts.numberOfCaptures ?? 1,
    isReversed: root.amountMinor > 0 && authorisedMinor === 0,
    isFinal,
    isExpired,
    isChanging,
  }
}

/** The amounts of a transaction that transfers money, such as a debit, a capture or a payout. Minor units. */
export interface Charge {
  /** The transferred amount; 0 if it was not approved or is reversed. */
  readonly capturedMinor: number
  readonly refundedMinor: number
  /** Chargebacks less their reversals. More than 0 while a chargeback is not fully reversed. */
  readonly chargedBackMinor: number
  /**
   * The amount available for refunds and chargebacks: an undecided refund reduces it by its amount, an undecided
   * reversal to 0.
   */
  readonly refundableMinor: number
}

/**
 * The charge of one transaction that transfers money. Refunds and chargebacks belong to the transaction to which they
 * refer, not to the payment. A refund itself can be charged back, when the shopper's bank returns it, so the function
 * also accepts a refund. The returned amount does not become refundable again.
 */
export function chargeOf(tree: Tree, transaction: Transaction): Charge {
  const reversal = reversalOf(tree, transaction)
  const capturedMinor = transaction.status === 'ACK' && reversal?.status !== 'ACK' ? transaction.amountMinor : 0
  let refundedMinor = 0
  let reservedMinor = reversal && isUndecided(reversal) ? capturedMinor : 0
  for (const refund of tree.transactions) {
    if (refund.type !== 'RF' || refund.referencedId !== transaction.id) continue
    if (refund.status === 'ACK') refundedMinor += refund.amountMinor
    if (isUndecided(refund)) reservedMinor += refund.amountMinor
  }
  const chargedBackMinor = chargedBackMinorOf(tree, transaction)
  const refundableMinor = capturedMinor - refundedMinor - chargedBackMinor - reservedMinor
  invariant(refundableMinor >= 0, 'refunds and chargebacks together are at most the captured amount')
  return { capturedMinor, refundedMinor, chargedBackMinor, refundableMinor }
}

/**
 * The amount that is charged back, without reversed chargebacks: the chargebacks of a transaction, less their
 * reversals, plus second chargebacks of the reversals.
 */
export const chargedBackMinorOf = (tree: Tree, transaction: Transaction): number =>
  sumOf(tree, 'CB', transaction, (chargeback) => chargeback.amountMinor - chargebackReversedMinorOf(tree, chargeback))

const chargebackReversedMinorOf = (tree: Tree, chargeback: Transaction): number =>
  sumOf(tree, 'CR', chargeback, (reversal) => reversal.amountMinor - chargedBackMinorOf(tree, reversal))

/** The part of a chargeback that is not reversed yet. */
export const reversibleMinorOf = (tree: Tree, chargeback: Transaction): number =>
  chargeback.amountMinor - sumOf(tree, 'CR', chargeback, ({ amountMinor }) => amountMinor)

/** The sum of the approved transactions of a type that refer to the transaction. */
function sumOf(
  tree: Tree,
  type: PaymentType,
  { id }: Transaction,
  amountOf: (transaction: Transaction) => number,
): number {
  let sumMinor = 0
  for (const transaction of tree.transactions) {
    const { referencedId, status } = transaction
    if (transaction.type === type && referencedId === id && status === 'ACK') sumMinor += amountOf(transaction)
  }
  return sumMinor
}

/** Totals of the whole payment in minor units: captured, refunded and charged back. */
export function totalsOf(tree: Tree): Omit<Charge, 'refundableMinor'> {
  let capturedMinor = 0
  let refundedMinor = 0
  let chargedBackMinor = 0
  for (const transaction of tree.transactions) {
    if (!isChargeType[transaction.type]) continue
    const charge = chargeOf(tree, transaction)
    capturedMinor += charge.capturedMinor
    refundedMinor += charge.refundedMinor
    chargedBackMinor += charge.chargedBackMinor
  }
  return { capturedMinor, refundedMinor, chargedBackMinor }
}

/** The amounts of a payment for finance staff, in minor units. Only approved transactions count, except as stated. */
export interface Amounts {
  /**
   * Approved preauthorisations less their reversals, and approved debits, payouts and rebills unless they are reversed:
   * these authorise and capture their amount at once. The expiry of a hold does not reduce it.
   */
  readonly authorisedMinor: number
  /** Charges: captures, debits, payouts, rebills and receipts, unless they are reversed. */
  readonly capturedMinor: number
  readonly refundedMinor: number
  /** Chargebacks of charges less the reversals of chargebacks. */
  readonly chargedBackMinor: number
  /**
   * The part of the hold that can still be captured: not reversed, closed or expired, not reserved by an undecided
   * capture or reversal, and not paid by a receipt. 0 for a payment without a hold.
   */
  readonly openMinor: number
}

/**
 * The amounts of a payment. Of a hold that is neither closed nor expired, and without undecided transactions,
 * `openMinor` is `authorisedMinor` less `capturedMinor`, and 0 if receipts exceed the hold.
 *
 * @param atMs the time at which expiry is evaluated, epoch milliseconds
 */
export function amountsOf(tree: Tree, atMs: number): Amounts {
  let authorisedMinor = 0
  let receivedMinor = 0
  for (const transaction of tree.transactions) {
    const { type } = transaction
    if (type === 'DB' || type === 'CD' || type === 'RB') authorisedMinor += chargeOf(tree, transaction).capturedMinor
    if (type === 'RC') receivedMinor += chargeOf(tree, transaction).capturedMinor
  }
  const totals = totalsOf(tree)
  if (rootOf(tree).type !== 'PA') return { authorisedMinor, ...totals, openMinor: 0 }
  const hold = holdOf(tree, atMs)
  const openMinor = Math.max(0, hold.openMinor - receivedMinor)
  return { authorisedMinor: authorisedMinor + hold.authorisedMinor, ...totals, openMinor }
}

/**
 * The sum of all charges of the payment, including undecided and reversed charges. A further charge must not raise it
 * above `limits.amountMinorMax`.
 */
export function totalChargeMinorOf(tree: Tree): number {
  let totalChargeMinor = 0
  for (const transaction of tree.transactions) {
    if (isChargeType[transaction.type] && !hasFailed(transaction)) totalChargeMinor += transaction.amountMinor
  }
  return totalChargeMinor
}

/** Whether a type is a charge, which can be refunded. */
const isChargeType: Readonly<Record<PaymentType, boolean>> = {
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

/** The approved or undecided reversal of a charge. A charge has at most one such reversal, for its whole amount. */
function reversalOf(tree: Tree, { id }: Transaction): Transaction | undefined {
  return tree.transactions.find(
    (transaction) => transaction.type === 'RV' && transaction.referencedId === id && !hasFailed(transaction),
  )
}
