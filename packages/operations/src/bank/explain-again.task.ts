import { dayAt } from '@tollgate/domain'
import type { BankEntryRow } from '@tollgate/storage'
import type { BackgroundTask } from '../background-task.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { commitEntry } from './assign-bank-entry.ts'
import { explainEntry, storedCounterparts } from './explain-entry.ts'
import { explained } from './new-bank-entries.ts'

type Dependencies = Pick<Context, 'storage' | 'acquirers' | 'clock' | 'ids'>

/**
 * Explains the unmatched bank entries of the last weeks again: the bank may book the payment of an acquirer before the
 * settlement file arrives.
 */
export function explainAgain(dependencies: Dependencies): BackgroundTask {
  const { storage, clock } = dependencies
  /** The last entry that this sweep has explained again. */
  let last: Pick<BankEntryRow, 'booked_on' | 'id'> | undefined
  return {
    name: 'unmatched bank entries',
    everyMs: limits.matchAgainEveryMs,
    pauseMs: limits.settlementPauseMs,
    async step() {
      const from = dayAt(clock.now() - limits.matchAgainForMs)
      const { booked_on: day, id } = last ?? { booked_on: from, id: '' }
      const entries = await storage.bankEntriesAfter('unmatched', day, id, limits.bankEntriesPerStep)
      for (const entry of entries) await explainOne(dependencies, entry)
      last = entries.at(-1)
      return last ? 'more' : 'done'
    },
  }
}

/** Changes an entry that is explained by now. If it was changed meanwhile, the next sweep explains it. */
async function explainOne(dependencies: Dependencies, from: BankEntryRow): Promise<void> {
  const verdict = await explainEntry(dependencies, storedCounterparts(dependencies), from)
  if (verdict.reason !== '') return
  const { state, reason, payout_id, explanation } = explained(from, verdict)
  const { compareAndSets } = verdict
  await commitEntry(dependencies, { from, changes: { state, reason, payout_id, explanation }, compareAndSets })
}
