import { isResultCode, outcomeOf, type ResultCode } from '@tollgate/contract'
import { firstFailure, type Guard, refused } from '../guard.ts'
import { chargedBackMinorOf, chargeOf } from './amounts.ts'
import { type Follow, record } from './command.ts'
import { moreThanZero } from './guards.ts'
import { referencedOf, type Transaction, type Tree } from './transaction.ts'

interface Subject {
  /** Amount of the referenced transaction that is charged back, without reversed chargebacks. */
  readonly chargedBackMinor: number
  readonly chargeableMinor: number
  readonly amountMinor: number
}

/** "Chargeback without a stated reason": the reason if the command has none. */
const NO_REASON = '000.100.200'

const guards: readonly Guard<Subject>[] = [
  {
    code: '700.300.500',
    reason: 'an earlier chargeback of the transaction is not fully reversed',
    holds: ({ chargedBackMinor }) => chargedBackMinor === 0,
  },
  moreThanZero,
  {
    code: '700.400.400',
    reason: 'the amount exceeds the part of the transaction that is neither refunded, reversed nor charged back',
    holds: ({ amountMinor, chargeableMinor }) => amountMinor <= chargeableMinor,
  },
]

/**
 * CB: the shopper's bank took back all or part of a charge. The reason of the chargeback is its result code. A second
 * chargeback is possible after a reversal (CR).
 */
export const chargeBack: Follow = (reference) => {
  const { tree, referenced, command } = reference
  const amountMinor = command.amountMinor ?? 0
  const chargedBackMinor = chargedBackMinorOf(tree, referenced)
  const chargeableMinor = chargeableMinorOf(tree, referenced)
  const reason = command.chargebackReason ?? NO_REASON
  return (
    firstFailure(guards, { chargedBackMinor, chargeableMinor, amountMinor }) ??
    (isReason(reason)
      ? record(reference, amountMinor, reason)
      : refused('600.200.810', 'chargebackResultCode is not a result code of chargebacks'))
  )
}

/** The refundable amount; for a second chargeback, at most the amount of the reversal of the first one. */
function chargeableMinorOf(tree: Tree, referenced: Transaction): number {
  const { refundableMinor } = chargeOf(tree, disputedOf(tree, referenced))
  return referenced.type === 'CR' ? Math.min(referenced.amountMinor, refundableMinor) : refundableMinor
}

/** The transaction to which the first chargeback refers. */
function disputedOf(tree: Tree, transaction: Transaction): Transaction {
  const { type } = transaction
  return type === 'CB' || type === 'CR' ? disputedOf(tree, referencedOf(tree, transaction)) : transaction
}

const isReason = (code: string): code is ResultCode => isResultCode(code) && outcomeOf(code) === 'chargeback'
