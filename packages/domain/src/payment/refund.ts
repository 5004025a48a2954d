import { firstFailure, type Guard } from '../guard.ts'
import { type Charge, chargeOf } from './amounts.ts'
import { type Follow, follow, type Reference } from './command.ts'
import { moreThanZero } from './guards.ts'
import { hasFailed, type Transaction, type Tree } from './transaction.ts'

interface Subject extends Reference {
  readonly charge: Charge
  readonly amountMinor: number
}

const guards: readonly Guard<Subject>[] = [
  {
    code: '700.400.520',
    reason: 'the transaction was reversed: there is no charge to refund',
    holds: ({ charge }) => charge.capturedMinor > 0,
  },
  {
    code: '700.300.600',
    reason: 'the transaction was charged back: it can be refunded once the chargeback is reversed',
    holds: ({ charge }) => charge.chargedBackMinor === 0,
  },
  {
    code: '700.300.300',
    reason: 'an earlier refund was marked as the last one by sequence=FINAL',
    holds: ({ tree, referenced }) => !hasFinalRefund(tree, referenced),
  },
  moreThanZero,
  {
    code: '700.400.200',
    reason: 'the amount exceeds the refundable amount',
    holds: ({ charge, amountMinor }) => amountMinor <= charge.refundableMinor,
  },
  {
    code: '700.300.700',
    reason: 'the transaction is too old to refund: send a credit (CD)',
    holds: ({ referenced, command, limits }) => command.atMs - referenced.createdAtMs <= limits.refundWindowMs,
  },
]

/**
 * RF: refunds all or part of a debit, capture, payout, rebill or receipt. Each of them has its own refundable amount.
 */
export const refund: Follow = (reference) => {
  const { tree, referenced, command } = reference
  const amountMinor = command.amountMinor ?? 0
  const charge = chargeOf(tree, referenced)
  return firstFailure(guards, { ...reference, charge, amountMinor }) ?? follow(reference, amountMinor)
}

/**
 * Whether a refund of the transaction was marked as the last one. An undecided refund counts, so that no other refund
 * is accepted before its outcome.
 */
const hasFinalRefund = ({ transactions }: Tree, { id }: Transaction): boolean =>
  transactions.some(
    (transaction) =>
      transaction.type === 'RF' &&
      transaction.referencedId === id &&
      transaction.facts.final === true &&
      !hasFailed(transaction),
  )
