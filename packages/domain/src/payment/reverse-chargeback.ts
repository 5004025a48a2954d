import { firstFailure, type Guard } from '../guard.ts'
import { reversibleMinorOf } from './amounts.ts'
import { type Follow, record } from './command.ts'
import { moreThanZero } from './guards.ts'
import { referencedOf } from './transaction.ts'

interface Subject {
  readonly isSecond: boolean
  readonly reversibleMinor: number
  readonly amountMinor: number
}

const guards: readonly Guard<Subject>[] = [
  {
    code: '700.400.411',
    reason: 'a second chargeback is final',
    holds: ({ isSecond }) => !isSecond,
  },
  moreThanZero,
  {
    code: '700.400.410',
    reason: 'the amount exceeds the part of the chargeback that is not reversed yet',
    holds: ({ amountMinor, reversibleMinor }) => amountMinor <= reversibleMinor,
  },
]

/** "Chargeback represented: the disputed amount was claimed back" */
const REPRESENTED = '000.100.105'

/** CR: all or part of a chargeback is reversed in favour of the merchant. */
export const reverseChargeback: Follow = (reference) => {
  const { tree, referenced, command } = reference
  const amountMinor = command.amountMinor ?? 0
  const isSecond = referencedOf(tree, referenced).type === 'CR'
  const reversibleMinor = reversibleMinorOf(tree, referenced)
  return firstFailure(guards, { isSecond, reversibleMinor, amountMinor }) ?? record(reference, amountMinor, REPRESENTED)
}
