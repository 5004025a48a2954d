import type { Clearing } from '@tollgate/connectors'
import { batchTotalsOf, endOfBusinessDay } from '@tollgate/domain'
import { type ClearingBatchRow, positionAt, TRANSACTIONS } from '@tollgate/storage'
import { clearedConnectors, clearingOf } from '../acquirer/clearing-of.ts'
import type { BackgroundTask } from '../background-task.ts'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { dayText } from '../ledger/days.ts'
import { limits } from '../limits.ts'
import type { ClearingFiles } from '../ports/clearing-files.ts'
import { compareBatch } from './compare-batch.ts'
import { hasFiles } from './presentments.ts'
import { type ClearingFile, readClearingFileOf, writeClearingFileOf } from './stored-file.ts'
import { writeTotals } from './stored-totals.ts'
import { writeFile } from './write-file.ts'

type Dependencies = Pick<Context, 'storage' | 'acquirers' | 'clock' | 'ids' | 'log'> & {
  readonly clearingFiles: ClearingFiles
}

/**
 * Clears the business days of acquirers: when all transactions of a day are in the ledger, its totals are agreed with
 * the acquirer, per currency, and the batch of the day is closed. Before, the clearing file of the day is written, if
 * files present its captures. While the acquirer does not answer, the comparison is repeated; if it has other
 * totals, a number of times.
 */
export function closeDays(dependencies: Dependencies): BackgroundTask {
  /** The connectors whose days are to be examined in this sweep. */
  let names: string[] = []
  let isSweeping = false
  return {
    name: 'clearing',
    everyMs: limits.clearingEveryMs,
    pauseMs: 0,
    async step() {
      if (!isSweeping) names = [...clearedConnectors(dependencies.acquirers)]
      isSweeping = true
      const name = names.shift()
      if (name === undefined) {
        isSweeping = false
        return 'done'
      }
      await closeDaysOf(dependencies, name)
      return 'more'
    },
  }
}

/** Opens the batch of the next complete day of an acquirer, and compares its batches that are not agreed. */
async function closeDaysOf(dependencies: Dependencies, acquirer: string): Promise<void> {
  const { storage, acquirers, clock } = dependencies
  const clearing = clearingOf(acquirers, acquirer)
  if (!clearing) return
  const [newest] = await storage.clearingBatchesBefore(acquirer, Number.MAX_SAFE_INTEGER, 1)
  await openNextBatch(dependencies, acquirer, clearing, newest)
  const { clearingAttemptsMax, clearingBatchesRead } = limits
  for (const batch of await storage.clearingBatchesToCompare(acquirer, clearingAttemptsMax, clearingBatchesRead)) {
    const ready = await withFile(dependencies, clearing, batch)
    if (ready && isDue(ready, clock.now())) await compareBatch(dependencies, clearing, ready)
  }
}

/** The batch, with its file in its place if it has one; undefined: it has to wait for its file. */
async function withFile(
  dependencies: Dependencies,
  clearing: Clearing,
  batch: ClearingBatchRow,
): Promise<ClearingBatchRow | undefined> {
  const file = readClearingFileOf(batch)
  if (!file || file.written) return batch
  return hasFiles(clearing) ? writeFile(dependencies, batch, file, clearing) : undefined
}

/** Adds the batch of the first complete day after the newest batch, if there is one. */
async function openNextBatch(
  dependencies: Dependencies,
  acquirer: string,
  clearing: Clearing,
  newest: ClearingBatchRow | undefined,
): Promise<void> {
  const { storage, clock } = dependencies
  const day = await storage.nextLedgerDay(acquirer, newest?.day ?? 0)
  const feed = await storage.transactionFeed(TRANSACTIONS)
  if (day === undefined || !feed) return
  const completeAtMs = endOfBusinessDay(clearing.cutOff, day) + limits.clearingDelayMs
  if (feed.read_before < positionAt(completeAtMs)) return
  const totals = batchTotalsOf(await storage.ledgerDaysOfAcquirer(acquirer, day))
  const batch: ClearingBatchRow = {
    id: `${acquirer}/${dayText(day)}`,
    acquirer,
    day,
    // A batch without totals is agreed when its file is written.
    state: totals.size === 0 && !hasFiles(clearing) ? 'agreed' : 'open',
    file: hasFiles(clearing) ? writeClearingFileOf(nextFile(newest)) : null,
    totals: writeTotals([...totals].map(([currency, own]) => [currency, { own }])),
    attempts: 0,
    changed_at_ms: clock.now(),
  }
  // Another process may have added the batch.
  await commitChange(dependencies, { rows: { clearing_batch: [batch] } }).catch(() => false)
}

/** Each day of an acquirer with files has one, also without captures: a missing file is noticed by its number. */
const nextFile = (newest: ClearingBatchRow | undefined): ClearingFile => ({
  sequence: ((newest && readClearingFileOf(newest)?.sequence) ?? 0) + 1,
})

function isDue(batch: ClearingBatchRow, nowMs: number): boolean {
  const { attempts, changed_at_ms: changedAtMs } = batch
  const waits = limits.clearingRetryMs
  // The acquirer reads the file before it can agree.
  const { written } = readClearingFileOf(batch) ?? {}
  if (attempts === 0 && written) return nowMs >= written.writtenAtMs + limits.clearingFileDelayMs
  return attempts === 0 || nowMs >= changedAtMs + (waits[Math.min(attempts, waits.length) - 1] ?? 0)
}
