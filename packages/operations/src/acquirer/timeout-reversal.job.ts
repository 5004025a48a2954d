import { InvariantError } from '@tollgate/contract'
import type { OpenRequest } from '@tollgate/connectors'
import type { JobRow, StoredTree, CompareAndSet, TransactionRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import { commitChange } from '../commit-change.ts'
import { CHANGED, type JobKind } from '../job.ts'
import { jobDeadLettered, jobDone, jobPostponed } from '../job-transitions.ts'
import { limits } from '../limits.ts'
import { originalOf, requestedOf } from './authorisation-request.ts'
import { factsOf } from '../records/payment-record.ts'
import { outcomeWith } from '../records/outcome.ts'
import { connectorOf } from './connector-of.ts'
import { end } from './link.ts'
import { type AcquirerResponse, statusOfResponse } from './acquirer-response.ts'
import { REVERSAL_JOB } from '../records/timers.ts'

/**
 * Reverses requests to acquirers without an outcome: their process stopped, or no answer came. First the job takes over
 * the attempt, so that its process can no longer store an outcome; then it sends the reversal until the acquirer
 * acknowledges it; then it stores the result.
 */
export const timeoutReversals = (context: Context): JobKind => ({
  name: REVERSAL_JOB,
  queues: () => [''],
  together: () => limits.attemptsEndedTogether,
  async run(read) {
    const { storage } = context
    const stored = await storage.treeOf(read.subject_id)
    const row = stored?.transactions.find(({ id }) => id === read.subject_id)
    if (!stored || !row) throw new InvariantError('timeout reversal has no transaction', read.subject_id)
    if (row.status === 'ACK') return settled(context, read)
    const connector = connectorOf(context, factsOf(row))
    if (connector?.kind !== 'remote') throw new InvariantError('timeout reversal has no remote acquirer', row.id)
    const job = await takeOver(context, read)
    if (!job) return CHANGED
    const response = await end(context, connector, authorisationRequestOf(stored, row))
    if (response.status === 'timedOut') return later(context, job)
    if (row.status === 'NOK' && response.status === 'approved') return contradicted(context, job)
    const compareAndSets: CompareAndSet[] = [jobDone(job)]
    if (row.status === 'SENT')
      compareAndSets.push({ table: 'payment_transaction', from: row, to: ended(row, response) })
    return (await commitChange(context, { compareAndSets })) ? response.code : CHANGED
  },
})

/** The job as it is from now on: due again after a while, should this process end first, or the acquirer not answer. */
async function takeOver(context: Context, from: JobRow): Promise<JobRow | undefined> {
  const waitMs = limits.attemptWaitsMs[Math.min(from.attempts, limits.attemptWaitsMs.length - 1)] ?? 0
  const taken = jobPostponed(from, context.clock.now() + waitMs, from.attempts + 1)
  return (await commitChange(context, { compareAndSets: [taken] })) ? taken.to : undefined
}

/** "Give up only by operator after 7 days" (domain, Timeout, reversal): after that the job is dead-lettered. */
async function later(context: Context, job: JobRow): Promise<string> {
  const { clock, log } = context
  log.error({ job: REVERSAL_JOB, subject: job.subject_id, attempts: job.attempts })
  const isOver = clock.now() - job.created_at_ms >= limits.attemptGivenUpMs
  const last_error = 'the acquirer does not answer'
  if (isOver) await park(context, job, last_error)
  return last_error
}

/** An approval that was stored first stays: another reversal could undo it. */
async function settled(context: Context, from: JobRow): Promise<string> {
  return (await commitChange(context, { compareAndSets: [jobDone(from)] })) ? 'was approved' : CHANGED
}

/** The answer to the merchant stays; people have to compare the books. */
async function contradicted(context: Context, job: JobRow): Promise<string> {
  const last_error = 'the acquirer has done what it had undone'
  context.log.error({ job: REVERSAL_JOB, subject: job.subject_id, error: last_error })
  await park(context, job, last_error)
  return last_error
}

const park = (context: Context, job: JobRow, why: string): Promise<boolean> =>
  commitChange(context, { compareAndSets: [jobDeadLettered(job, context.clock.now(), why)] })

function authorisationRequestOf({ transactions }: StoredTree, row: TransactionRow): OpenRequest {
  const original = transactions.find(({ id }) => id === row.referenced_id)
  return { ...requestedOf(row), original: original && originalOf(original) }
}

function ended(row: TransactionRow, response: AcquirerResponse): TransactionRow {
  const status = statusOfResponse(response, response.code)
  return {
    ...row,
    status,
    amount_minor: status === 'ACK' ? response.amountMinor : row.amount_minor,
    result_code: response.code,
    outcome: outcomeWith(row.outcome, response),
  }
}
