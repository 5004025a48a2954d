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
    reason: 'the transaction was reversed: nothing was taken that could be given back',
    holds: ({ charge }) => charge.capturedMinor > 0,
  },
  {
    code: '700.300.600',
    reason: 'the transaction was charged back: what the shopper has back already cannot be refunded',
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
    reason: 'the amount is more than what is left to refund',
    holds: ({ charge, amountMinor }) => amountMinor <= charge.refundableMinor,
  },
  {
    code: '700.300.700',
    reason: 'the transaction is too old to refund: send a credit (CD)',
    holds: ({ referenced, command, limits }) => command.atMs - referenced.createdAtMs <= limits.refundWindowMs,
  },
]

/** RF: gives back all or part of what a debit, capture, payout, rebill or receipt moved, counted per transaction. */
export const refund: Follow = (reference) => {
  const { tree, referenced, command } = reference
  const amountMinor = command.amountMinor ?? 0
  const charge = chargeOf(tree, referenced)
  return firstFailure(guards, { ...reference, charge, amountMinor }) ?? follow(reference, amountMinor)
}

/** An undecided refund counts: a second one must not slip in before it. */
const hasFinalRefund = ({ transactions }: Tree, { id }: Transaction): boolean =>
  transactions.some(
    (one) => one.type === 'RF' && one.referencedId === id && one.facts.final === true && !hasFailed(one),
  )
