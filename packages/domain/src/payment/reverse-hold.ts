import { firstFailure, type Guard } from '../guard.ts'
import { holdOf } from './amounts.ts'
import { type Follow, follow } from './command.ts'

interface Subject {
  readonly openMinor: number
  readonly amountMinor: number
}

const guards: readonly Guard<Subject>[] = [
  {
    code: '700.400.300',
    reason: 'no more can be reversed than is still open: not captured, reversed, closed or expired',
    holds: ({ openMinor, amountMinor }) => amountMinor > 0 && amountMinor <= openMinor,
  },
]

/** RV of a PA: releases what the authorisation still holds, or part of it. Without an amount: all that is open. */
export const reverseHold: Follow = (reference) => {
  const { tree, command } = reference
  const { openMinor } = holdOf(tree, command.atMs)
  const amountMinor = command.amountMinor ?? openMinor
  return firstFailure(guards, { openMinor, amountMinor }) ?? follow(reference, amountMinor)
}
