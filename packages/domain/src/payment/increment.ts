import { firstFailure, type Guard } from '../guard.ts'
import { isAmount } from '../money.ts'
import { type Hold, holdOf } from './amounts.ts'
import { authorisationExpiresAtMs, incrementExtends } from './authorisation-validity.ts'
import { type Command, type Follow, follow } from './command.ts'
import { moreThanZero, onlyChange } from './guards.ts'

interface Subject {
  readonly command: Command
  readonly hold: Hold
  readonly amountMinor: number
}

const guards: readonly Guard<Subject>[] = [
  {
    code: '700.100.700',
    reason: 'a preauthorisation refers to another one only to increase it (industryPractice INCREMENTAL_AUTH)',
    holds: ({ command }) => command.incremental === true,
  },
  {
    code: '700.100.700',
    reason: 'the authorisation is no longer open',
    holds: ({ hold }) => hold.openMinor > 0,
  },
  moreThanZero,
  {
    code: '100.550.301',
    reason: 'the authorisation would become too large',
    holds: ({ hold, amountMinor }) => isAmount(hold.authorisedMinor + amountMinor),
  },
  onlyChange,
]

/** PA on a PA: increases the authorised amount, for a stay or rental that became longer. */
export const increment: Follow = (reference) => {
  const { tree, referenced, command } = reference
  const amountMinor = command.amountMinor ?? 0
  const failure = firstFailure(guards, { command, hold: holdOf(tree, command.atMs), amountMinor })
  if (failure) return failure
  if (!incrementExtends(referenced.brand)) return follow(reference, amountMinor)
  const kind = command.authorisationCase ?? 'customer'
  return follow(reference, amountMinor, {
    expiresAtMs: authorisationExpiresAtMs(referenced.brand, kind, command.atMs),
  })
}
