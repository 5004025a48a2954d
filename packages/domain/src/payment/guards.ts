import type { Guard } from '../guard.ts'
import { isAmount } from '../money.ts'
import type { Hold } from './amounts.ts'
import { isTooOld } from './archive.ts'
import type { Reference } from './command.ts'
import { hasFailed, isUndecided } from './transaction.ts'

/** Guards of the referenced transaction that are checked before its type. */
export const referenceGuards: readonly Guard<Reference>[] = [
  {
    code: '700.400.700',
    reason: 'the payment was made on another channel',
    holds: ({ referenced, command }) => command.channel === referenced.channel,
  },
  {
    code: '700.300.200',
    reason: 'the referenced transaction was rejected or has expired',
    holds: ({ referenced }) => !hasFailed(referenced),
  },
  {
    code: '700.400.570',
    reason: 'the referenced transaction is still pending',
    holds: ({ referenced }) => !isUndecided(referenced),
  },
  {
    code: '700.100.600',
    reason: 'the referenced transaction was made in another test mode',
    holds: ({ referenced, command }) => matchesStored(command.testMode, referenced.testMode),
  },
  {
    code: '700.100.400',
    reason: 'the referenced transaction was made with another payment method',
    holds: ({ referenced, command }) => matchesStored(command.method, referenced.method),
  },
  {
    code: '700.100.500',
    reason: 'the referenced transaction is in another currency',
    holds: ({ referenced, command }) => matchesStored(command.currency, referenced.currency),
  },
]

/** Guards of every legal pair of types. */
export const pairGuards: readonly Guard<Reference>[] = [
  {
    code: '700.300.100',
    reason: 'an increment is part of its preauthorisation: refer to the preauthorisation',
    holds: ({ referenced }) => referenced.type !== 'PA' || referenced.referencedId === null,
  },
  {
    code: '700.500.001',
    reason: 'the payment has the maximum number of transactions',
    holds: ({ tree, limits }) => tree.transactions.length < limits.treeTransactionsMax,
  },
  {
    code: '700.300.700',
    reason: 'the payment is too old: send a new payment, or a credit (CD) in place of a refund',
    holds: ({ tree, command, limits }) => !isTooOld(tree.transactions, command.atMs, limits),
  },
]

/** Guard of moves whose amount the request must state, except captures, which compare it with the open amount. */
export const moreThanZero: Guard<{ readonly amountMinor: number }> = {
  code: '100.550.300',
  reason: 'the amount must be more than zero',
  holds: ({ amountMinor }) => amountMinor > 0,
}

/**
 * Guard of moves that change the authorised amount. The message of a reversal states the amount that remains, so that
 * the later one of two concurrent changes would undo the other.
 */
export const onlyChange: Guard<{ readonly hold: Hold }> = {
  code: '800.700.100',
  reason: 'another increase or reversal of the authorisation has no result yet: send this request again later',
  holds: ({ hold }) => !hold.isChanging,
}

/**
 * Guard of moves that add a charge beyond the authorised amount. `totalChargeMinor` is the sum of the payment's
 * charges, the new one included.
 */
export const withinBounds: Guard<{ readonly totalChargeMinor: number }> = {
  code: '100.550.301',
  reason: 'the payment would become too large',
  holds: ({ totalChargeMinor }) => isAmount(totalChargeMinor),
}

/** Whether a sent value is absent, or equals that of the referenced transaction. */
const matchesStored = <T>(sent: T | undefined, stored: T): boolean => sent === undefined || sent === stored
