import type { Clearing } from '@tollgate/connectors'
import { DAY_MS } from '@tollgate/contract'
import { batchTotalsOf, endOfBusinessDay } from '@tollgate/domain'
import { type ClearingBatchRow, positionAt, TRANSACTIONS } from '@tollgate/storage'
import { clearedConnectors, clearingOf } from '../acquirer/clearing-of.ts'
import type { BackgroundTask } from '../background-task.ts'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import type { ClearingFiles } from '../ports/clearing-files.ts'
import { hasFiles } from './presentments.ts'
import { type ClearingFile, readClearingFileOf, writeClearingFileOf } from './stored-file.ts'
import { type CurrencyTotals, readTotals, writeTotals } from './stored-totals.ts'
import { writeFile } from './write-file.ts'

type Dependencies = Pick<Context, 'storage' | 'acquirers' | 'clock' | 'ids' | 'log'> & {
  readonly clearingFiles: ClearingFiles
}

/**
 * Clears the business days of acquirers: when all transactions of a day are in the ledger, its totals are agreed with
 * the acquirer, per currency, and the batch of the day is closed. Before, the clearing file of the day is written, if
 * files present its captures. While the acquirer has other totals, or does not answer, the comparison is repeated.
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

/** Opens the batch of the next complete day of an acquirer, and compares its newest batches that are not agreed. */
async function closeDaysOf(dependencies: Dependencies, acquirer: string): Promise<void> {
  const { storage, acquirers, clock } = dependencies
  const clearing = clearingOf(acquirers, acquirer)
  if (!clearing) return
  const batches = await storage.clearingBatchesBefore(acquirer, Number.MAX_SAFE_INTEGER, limits.clearingBatchesRead)
  const opened = await openNextBatch(dependencies, acquirer, clearing, batches[0])
  for (const batch of opened ? [...batches, opened] : batches) {
    const ready = await withFile(dependencies, clearing, batch)
    if (ready && isDue(ready, clock.now())) await compare(dependencies, clearing, ready)
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

/** Adds the batch of the first complete day after the newest batch; undefined if there is none. */
async function openNextBatch(
  dependencies: Dependencies,
  acquirer: string,
  clearing: Clearing,
  newest: ClearingBatchRow | undefined,
): Promise<ClearingBatchRow | undefined> {
  const { storage, clock } = dependencies
  const day = await storage.nextLedgerDay(acquirer, newest?.day ?? 0)
  const feed = await storage.transactionFeed(TRANSACTIONS)
  if (day === undefined || !feed) return undefined
  const completeAtMs = endOfBusinessDay(clearing.cutOff, day) + limits.clearingDelayMs
  if (feed.read_before < positionAt(completeAtMs)) return undefined
  const totals = batchTotalsOf(await storage.ledgerDaysOfAcquirer(acquirer, day))
  const batch: ClearingBatchRow = {
    id: `${acquirer}/${dateOf(day)}`,
    acquirer,
    day,
    state: totals.size === 0 ? 'agreed' : 'open',
    file: hasFiles(clearing) ? writeClearingFileOf(nextFile(newest)) : null,
    totals: writeTotals([...totals].map(([currency, own]) => [currency, { own }])),
    attempts: 0,
    changed_at_ms: clock.now(),
  }
  // Another process may have added the batch.
  const isAdded = await commitChange(dependencies, { rows: { clearing_batch: [batch] } }).catch(() => false)
  return isAdded ? batch : undefined
}

/** Each day of an acquirer with files has one, also without captures: a missing file is noticed by its number. */
const nextFile = (newest: ClearingBatchRow | undefined): ClearingFile => ({
  sequence: ((newest && readClearingFileOf(newest)?.sequence) ?? 0) + 1,
})

const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

function isDue(batch: ClearingBatchRow, nowMs: number): boolean {
  const { state, attempts, changed_at_ms: changedAtMs } = batch
  if (state === 'agreed' || attempts >= limits.clearingAttemptsMax) return false
  const waits = limits.clearingRetryMs
  // The acquirer reads the file before it can agree.
  const { written } = readClearingFileOf(batch) ?? {}
  if (attempts === 0 && written) return nowMs >= written.writtenAtMs + limits.clearingFileDelayMs
  return attempts === 0 || nowMs >= changedAtMs + (waits[Math.min(attempts, waits.length) - 1] ?? 0)
}

/** Compares a batch with the acquirer, currency by currency. */
async function compare(dependencies: Dependencies, clearing: Clearing, from: ClearingBatchRow): Promise<void> {
  const { clock, log } = dependencies
  const totals: [currency: string, totals: CurrencyTotals][] = []
  for (const [currency, stored] of readTotals(from.totals)) {
    const { own, agreed } = stored
    const verdict = agreed ? undefined : await clearing.agree({ day: from.day, currency, totals: own })
    if (verdict?.kind === 'agreed') totals.push([currency, { own, agreed: true }])
    else totals.push([currency, verdict?.kind === 'differs' ? { own, acquirer: verdict.totals } : stored])
  }
  const state = stateOf(totals.map(([, each]) => each))
  if (state === 'differs') log.error({ clearing: from.id, error: 'the acquirer has other totals' })
  const to: ClearingBatchRow = {
    ...from,
    state,
    totals: writeTotals(totals),
    attempts: from.attempts + 1,
    changed_at_ms: clock.now(),
  }
  await commitChange(dependencies, { compareAndSets: [{ table: 'clearing_batch', from, to }] })
}

function stateOf(totals: readonly CurrencyTotals[]): string {
  const open = totals.filter(({ agreed }) => agreed !== true)
  if (open.length === 0) return 'agreed'
  return open.some(({ acquirer }) => acquirer !== undefined) ? 'differs' : 'open'
}
