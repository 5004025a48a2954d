import type { JobRow, TransactionRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { jobPostponed } from '../job-transitions.ts'
import { limits } from '../limits.ts'
import { AFTER_ALL_IDS, REVERSAL_JOB, timeoutReversalTimer } from '../records/timers.ts'

/** "900.100.301 reversed after timeout" (domain, Timeout). */
const REVERSED = '900.100.301'

/**
 * Makes the timeout reversal of a transaction due now, because its provider reports a change. The transaction itself
 * does not change: the reversal looks up what the provider has done.
 *
 * A transaction that was already reversed may have been processed by the provider since: it gets another reversal,
 * which takes a late approval back, or leaves a late follow-up to an operator.
 */
export async function hastenReversal(context: Context, row: TransactionRow): Promise<void> {
  const isReversed = row.status === 'NOK' && row.result_code === REVERSED
  if (row.status !== 'SENT' && !isReversed) return
  const { storage, clock } = context
  const jobs = await storage.jobsBefore(REVERSAL_JOB, '', AFTER_ALL_IDS, limits.openMessagesRead)
  const job = jobs.find(({ subject_id: subject }) => subject === row.id)
  if (job && isWaiting(job, clock.now())) {
    await commitChange(context, { compareAndSets: [jobPostponed(job, clock.now())] })
  }
  if (!job && isReversed && jobs.length < limits.openMessagesRead) {
    await commitChange(context, { rows: { job: [timeoutReversalTimer(context, row, clock.now())] } })
  }
}

/**
 * Whether a reversal waits for its next attempt. Before the first attempt, the process that sent the request may still
 * wait for its answer, which a reversal would discard.
 */
const isWaiting = (job: JobRow, nowMs: number): boolean =>
  job.attempts > 0 && job.parked_at_ms === null && job.due_at_ms > nowMs && (job.held_until_ms ?? 0) <= nowMs
