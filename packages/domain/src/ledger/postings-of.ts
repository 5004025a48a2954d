import type { CurrencyCode } from '@tollgate/contract'
import { invariant } from '../guard.ts'
import {
  isUndecided,
  type PaymentType,
  referencedOf,
  rootOf,
  type Transaction,
  type Tree,
} from '../payment/transaction.ts'
import { type FeePlan, feeMinorOf } from './fee-plan.ts'
import { type PostingKindName, postingKinds } from './posting-kinds.ts'

/** An entry of the ledger that follows from a transaction. Amounts are in minor units. */
export interface Posting {
  readonly transactionId: string
  readonly kind: PostingKindName
  readonly currency: CurrencyCode
  readonly amountMinor: number
  readonly feeMinor: number
}

/**
 * The entries of the approved transactions of a payment. Each transaction has one, and the preauthorisation another one
 * when the payment is closed by sequence=FINAL: the remaining hold ends then.
 *
 * The entries depend only on the tree and on the fees, not on the time or order of posting. When transactions are added
 * to the tree or become approved, entries are added, and none changes.
 *
 * @param planAt the fee plan that is valid at a time, epoch milliseconds
 */
export function postingsOf(tree: Tree, planAt: (atMs: number) => FeePlan | undefined): readonly Posting[] {
  const postings: Posting[] = []
  for (const transaction of tree.transactions) {
    const kind = kindOf(tree, transaction)
    if (kind) postings.push(postingOf(transaction, kind, planAt))
  }
  const remainingMinor = remainingHoldMinorOf(tree)
  if (remainingMinor === 0) return postings
  return [...postings, { ...postingOf(rootOf(tree), 'expiry', planAt), amountMinor: remainingMinor }]
}

/** Whether a transaction of the payment closes its hold: entries of other transactions then depend on it. */
export const hasFinal = (tree: Tree): boolean => tree.transactions.some((each) => closesHold(tree, each))

function postingOf(
  { id, type, currency, brand, amountMinor, createdAtMs }: Transaction,
  kind: PostingKindName,
  planAt: (atMs: number) => FeePlan | undefined,
): Posting {
  const { fee } = postingKinds[kind]
  const feeMinor = fee ? feeMinorOf(planAt(createdAtMs), { kind: fee, type, brand, currency, amountMinor }) : 0
  return { transactionId: id, kind, currency, amountMinor, feeMinor }
}

/** The kind of the entry of each transaction of a type; undefined: the entry is not known yet. */
const kinds: Readonly<Record<PaymentType, (tree: Tree, transaction: Transaction) => PostingKindName | undefined>> = {
  PA: () => 'hold',
  CP: () => 'capture',
  DB: () => 'charge',
  RB: () => 'charge',
  RC: () => 'charge',
  RF: () => 'refund',
  CD: () => 'refund',
  RV: kindOfReversal,
  CB: (tree, transaction) => (isOfRefund(tree, transaction) ? 'refundReturn' : 'chargeback'),
  CR: (tree, transaction) => (isOfRefund(tree, transaction) ? 'refundReturnReversal' : 'chargebackReversal'),
}

const kindOf = (tree: Tree, transaction: Transaction): PostingKindName | undefined =>
  transaction.status === 'ACK' ? kinds[transaction.type](tree, transaction) : undefined

/**
 * The reversal of a capture reopens the hold, unless the hold was closed before. While that is undecided, the reversal
 * has no entry.
 */
function kindOfReversal(tree: Tree, reversal: Transaction): PostingKindName | undefined {
  const { type } = referencedOf(tree, reversal)
  if (type === 'PA') return reversal.facts.expiry ? 'expiry' : 'release'
  if (type !== 'CP') return 'chargeReversal'
  const closings = tree.transactions.filter((each) => closesHold(tree, each) && each.id < reversal.id)
  if (closings.some(({ status }) => status === 'ACK')) return 'chargeReversal'
  return closings.some(isUndecided) ? undefined : 'captureReversal'
}

/** Whether a chargeback, or its reversal, is of a refund. A second chargeback refers to the reversal of the first. */
function isOfRefund(tree: Tree, chargeback: Transaction): boolean {
  const referenced = referencedOf(tree, chargeback)
  return referenced.type === 'CB' || referenced.type === 'CR' ? isOfRefund(tree, referenced) : referenced.type === 'RF'
}

/** Whether a transaction closes the hold of its payment (sequence=FINAL), if it is approved. */
const closesHold = (tree: Tree, { type, referencedId, facts }: Transaction): boolean =>
  facts.final === true && (type === 'CP' || (type === 'RV' && referencedId === rootOf(tree).id))

/**
 * The remaining hold of a closed payment; 0 while a transaction is undecided, because the amount is unknown until then.
 */
function remainingHoldMinorOf(tree: Tree): number {
  const isClosed = tree.transactions.some((each) => each.status === 'ACK' && closesHold(tree, each))
  if (!isClosed || tree.transactions.some(isUndecided)) return 0
  let heldMinor = 0
  for (const transaction of tree.transactions) {
    const kind = kindOf(tree, transaction)
    for (const { debit, credit, of } of kind ? postingKinds[kind].movements : []) {
      if (of === 'amount' && debit === 'authorisationHold') heldMinor += transaction.amountMinor
      if (of === 'amount' && credit === 'authorisationHold') heldMinor -= transaction.amountMinor
    }
  }
  invariant(heldMinor >= 0, 'no more than the hold is captured and released')
  return heldMinor
}
