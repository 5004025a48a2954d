import { firstFailure, type Guard } from '../guard.ts'
import { isAmount } from '../money.ts'
import { movedMinorOf } from './amounts.ts'
import { type Follow, record } from './command.ts'

interface Subject {
  readonly amountMinor: number
  /** What the payment has moved in all, this move included. */
  readonly movedMinor: number
}

const guards: readonly Guard<Subject>[] = [
  {
    code: '100.550.300',
    reason: 'the amount must be more than zero',
    holds: ({ amountMinor }) => amountMinor > 0,
  },
  {
    code: '100.550.301',
    reason: 'the payment would become too large',
    holds: ({ movedMinor }) => isAmount(movedMinor),
  },
]

/**
 * RC: money for the payment came in by a way of its own, such as a transfer for an invoice. It may come in parts, and
 * be more or less than was asked for.
 */
export const recordReceipt: Follow = (reference) => {
  const { tree, command } = reference
  const amountMinor = command.amountMinor ?? 0
  const movedMinor = movedMinorOf(tree) + amountMinor
  return firstFailure(guards, { amountMinor, movedMinor }) ?? record(reference, amountMinor, '000.000.000')
}
