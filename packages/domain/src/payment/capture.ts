import { firstFailure, type Guard } from '../guard.ts'
import { type Hold, holdOf } from './amounts.ts'
import { type Follow, follow } from './command.ts'

interface Subject {
  readonly hold: Hold
  readonly amountMinor: number
}

const guards: readonly Guard<Subject>[] = [
  {
    code: '700.300.300',
    reason: 'the authorisation was reversed',
    holds: ({ hold }) => !hold.isReversed,
  },
  {
    code: '700.300.300',
    reason: 'the authorisation was closed by sequence=FINAL',
    holds: ({ hold }) => !hold.isFinal,
  },
  {
    code: '700.300.400',
    reason: 'the authorisation has expired',
    holds: ({ hold }) => !hold.isExpired,
  },
  {
    code: '700.400.100',
    reason: 'the amount must be more than zero and at most the open amount',
    holds: ({ hold, amountMinor }) => amountMinor > 0 && amountMinor <= hold.openMinor,
  },
  {
    code: '700.400.100',
    reason: 'the authorisation allows no further capture (numberOfCaptures)',
    holds: ({ hold }) => hold.captures < hold.capturesMax,
  },
]

/** CP: captures all or part of a preauthorisation; sequence=FINAL releases the remaining amount. */
export const capture: Follow = (reference) => {
  const { tree, command } = reference
  const amountMinor = command.amountMinor ?? 0
  const hold = holdOf(tree, command.atMs)
  return firstFailure(guards, { hold, amountMinor }) ?? follow(reference, amountMinor)
}
