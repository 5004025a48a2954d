import { firstFailure, type Guard } from '../guard.ts'
import { totalChargeMinorOf } from './amounts.ts'
import { type Follow, record } from './command.ts'
import { moreThanZero, withinBounds } from './guards.ts'

interface Subject {
  readonly amountMinor: number
  /** The sum of the payment's charges, the new one included. */
  readonly totalChargeMinor: number
}

const guards: readonly Guard<Subject>[] = [moreThanZero, withinBounds]

/**
 * RC: money for the payment was received outside of the gateway, such as a transfer for an invoice. Its amount may be
 * lower or higher than that of the payment.
 */
export const recordReceipt: Follow = (reference) => {
  const { tree, command } = reference
  const amountMinor = command.amountMinor ?? 0
  const totalChargeMinor = totalChargeMinorOf(tree) + amountMinor
  return firstFailure(guards, { amountMinor, totalChargeMinor }) ?? record(reference, amountMinor, '000.000.000')
}
