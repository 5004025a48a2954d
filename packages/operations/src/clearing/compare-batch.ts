import type { Clearing } from '@tollgate/connectors'
import type { ClearingBatchRow } from '@tollgate/storage'
import { clearingOf } from '../acquirer/clearing-of.ts'
import { audit } from '../audit.ts'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { readClearingFileOf } from './stored-file.ts'
import { type CurrencyTotals, readTotals, writeTotals } from './stored-totals.ts'

type Dependencies = Pick<Context, 'storage' | 'acquirers' | 'clock' | 'ids' | 'log'>

/**
 * Compares a batch with the acquirer, currency by currency.
 *
 * @returns the batch as it is stored now; undefined: another process changed it
 */
export async function compareBatch(
  dependencies: Dependencies,
  clearing: Clearing,
  from: ClearingBatchRow,
): Promise<ClearingBatchRow | undefined> {
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
  const isStored = await commitChange(dependencies, { compareAndSets: [{ table: 'clearing_batch', from, to }] })
  return isStored ? to : undefined
}

function stateOf(totals: readonly CurrencyTotals[]): string {
  const open = totals.filter(({ agreed }) => agreed !== true)
  if (open.length === 0) return 'agreed'
  return open.some(({ acquirer }) => acquirer !== undefined) ? 'differs' : 'open'
}

/** compared: the batch as it is stored now. stale: another process changed it. Otherwise nothing was compared. */
export type ComparisonResult =
  | { readonly kind: 'compared'; readonly batch: ClearingBatchRow }
  | { readonly kind: 'stale' | 'isAgreed' | 'waitsForFile' | 'notConnected' }

/** Compares a batch at once, for an operator, however often it was compared before. */
export async function compareNow(dependencies: Dependencies, from: ClearingBatchRow): Promise<ComparisonResult> {
  if (from.state === 'agreed') return { kind: 'isAgreed' }
  const file = readClearingFileOf(from)
  if (file && !file.written) return { kind: 'waitsForFile' }
  const clearing = clearingOf(dependencies.acquirers, from.acquirer)
  if (!clearing) return { kind: 'notConnected' }
  const batch = await compareBatch(dependencies, clearing, from)
  if (!batch) return { kind: 'stale' }
  audit(dependencies.log, 'clearing batch compared', { batch: batch.id, state: batch.state })
  return { kind: 'compared', batch }
}
