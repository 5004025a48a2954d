import { firstFailure, type Guard } from '../guard.ts'
import { movedMinorOf } from './amounts.ts'
import { type Follow, record } from './command.ts'
import { moreThanZero, withinBounds } from './guards.ts'

interface Subject {
  readonly amountMinor: number
  /** What the payment has moved in all, this move included. */
  readonly movedMinor: number
}

const guards: readonly Guard<Subject>[] = [moreThanZero, withinBounds]

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
