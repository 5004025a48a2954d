import { firstFailure, type Guard } from '../guard.ts'
import { type Charge, chargeOf, totalChargeMinorOf } from './amounts.ts'
import { type Command, type Follow, follow } from './command.ts'
import { moreThanZero, withinBounds } from './guards.ts'

interface Subject {
  readonly command: Command
  readonly charge: Charge
  readonly amountMinor: number
  /** The sum of the payment's charges, the new one included. */
  readonly totalChargeMinor: number
}

const guards: readonly Guard<Subject>[] = [
  {
    code: '700.400.520',
    reason: 'the transaction was reversed: there is no charge to repeat',
    holds: ({ charge }) => charge.capturedMinor > 0,
  },
  {
    code: '700.500.004',
    reason: 'the payment’s account data is not stored',
    holds: ({ command }) => command.isAccountAvailable === true,
  },
  moreThanZero,
  withinBounds,
]

/**
 * RB: a new debit of the account of an earlier payment without the shopper, such as for an extra or after a chargeback.
 */
export const rebill: Follow = (reference) => {
  const { tree, referenced, command } = reference
  const amountMinor = command.amountMinor ?? 0
  const totalChargeMinor = totalChargeMinorOf(tree) + amountMinor
  const charge = chargeOf(tree, referenced)
  return firstFailure(guards, { command, charge, amountMinor, totalChargeMinor }) ?? follow(reference, amountMinor)
}
