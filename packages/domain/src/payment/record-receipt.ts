import { firstFailure, type Guard } from '../guard.ts'
import { movedMinorOf } from './amounts.ts'
import { type Follow, record } from './command.ts'
import { moreThanZero, withinBounds } from './guards.ts'

interface Subject {
  readonly amountMinor: number
  /** The total that the payment has moved, this move included. */
  readonly movedMinor: number
}

const guards: readonly Guard<Subject>[] = [moreThanZero, withinBounds]

/**
 * RC: money for the payment was received outside of the gateway, such as a transfer for an invoice. Its amount may be
 * lower or higher than that of the payment.
 */
export const recordReceipt: Follow = (reference) => {
  const { tree, command } = reference
  const amountMinor = command.amountMinor ?? 0
  const movedMinor = movedMinorOf(tree) + amountMinor
  return firstFailure(guards, { amountMinor, movedMinor }) ?? record(reference, amountMinor, '000.000.000')
}
