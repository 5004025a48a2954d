import { firstFailure, type Guard } from '../guard.ts'
import { type Hold, holdOf } from './amounts.ts'
import { type Follow, follow } from './command.ts'
import { onlyChange } from './guards.ts'

interface Subject {
  readonly hold: Hold
  readonly releasableMinor: number
  readonly amountMinor: number
}

const guards: readonly Guard<Subject>[] = [
  {
    code: '700.400.300',
    reason: 'the amount must be more than zero and at most the open amount: not captured, reversed, closed or expired',
    holds: ({ releasableMinor, amountMinor }) => amountMinor > 0 && amountMinor <= releasableMinor,
  },
  onlyChange,
]

/**
 * RV of a PA: releases all or part of the open amount; without an amount, all of it. The system (`command.expiry`)
 * releases an expired authorisation, because networks charge for holds that are neither captured nor reversed.
 */
export const reverseHold: Follow = (reference) => {
  const { tree, command } = reference
  const hold = holdOf(tree, command.atMs)
  const releasableMinor = command.expiry && hold.isExpired ? hold.heldMinor : hold.openMinor
  const amountMinor = command.amountMinor ?? releasableMinor
  const failure = firstFailure(guards, { hold, releasableMinor, amountMinor })
  return failure ?? follow(reference, amountMinor, command.expiry ? { expiry: true } : {})
}
