import { firstFailure, type Guard } from '../guard.ts'
import { chargedBackMinorOf, chargeOf } from './amounts.ts'
import { type Follow, follow, type Reference } from './command.ts'

const guards: readonly Guard<Reference>[] = [
  {
    code: '700.300.600',
    reason: 'the transaction was charged back',
    holds: ({ tree, referenced }) => chargedBackMinorOf(tree, referenced) === 0,
  },
  {
    code: '700.300.300',
    reason: 'the transaction was reversed or refunded already',
    holds: ({ tree, referenced }) => chargeOf(tree, referenced).refundableMinor === referenced.amountMinor,
  },
  {
    code: '700.300.700',
    reason: 'the transaction has been sent for clearing: refund it',
    holds: ({ referenced, command, limits }) => command.atMs - referenced.createdAtMs <= limits.clearingCutOffMs,
  },
  {
    code: '700.400.300',
    reason: 'a debit, capture or rebill is reversed in full; refund a part of it',
    holds: ({ referenced, command }) => (command.amountMinor ?? referenced.amountMinor) === referenced.amountMinor,
  },
]

/** RV of a DB, CP or RB: cancels the whole transaction before it is sent for clearing. */
export const reverseCharge: Follow = (reference) =>
  firstFailure(guards, reference) ?? follow(reference, reference.referenced.amountMinor)
