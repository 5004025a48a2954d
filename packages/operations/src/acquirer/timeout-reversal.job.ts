import { InvariantError } from '@tollgate/contract'
import type { OpenQuestion } from '@tollgate/connectors'
import type { JobRow, StoredTree, Swap, TransactionRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import type { JobKind } from '../job.ts'
import { limits } from '../limits.ts'
import { originalOf, requestedOf } from './authorisation-request.ts'
import { factsOf } from '../records/payment-record.ts'
import { outcomeWith } from '../records/outcome.ts'
import { connectorOf } from './connector-of.ts'
import { end } from './link.ts'
import { type Said, statusOfSaid } from './acquirer-response.ts'
import { END_ATTEMPT } from '../records/timers.ts'

/**
 * Ends what acquirers were asked and nobody ended: the process that asked is gone, or no answer came. First the attempt
 * is taken over, so that whoever asked cannot settle it any more; then the acquirer is told, over and over until it has
 * heard; then the transaction is what has become of it.
 */
export const endAttempts = (gateway: Context): JobKind => ({
  name: END_ATTEMPT,
  queues: () => [''],
  together: () => limits.attemptsEndedTogether,
  async run(read) {
    const { storage } = gateway
    const stored = await storage.treeOf(read.subject_id)
    const row = stored?.transactions.find(({ id }) => id === read.subject_id)
    if (!stored || !row) throw new InvariantError('timeout reversal has no transaction', read.subject_id)
    if (row.status === 'ACK') return settled(gateway, read)
    const connector = connectorOf(gateway, factsOf(row))
    if (connector?.kind !== 'remote') throw new InvariantError('timeout reversal has no remote acquirer', row.id)
    const job = await takeOver(gateway, read)
    if (!job) return CHANGED
    const said = await end(gateway, connector, questionOf(stored, row))
    if (said.status === 'unsaid') return later(gateway, job)
    if (row.status === 'NOK' && said.status === 'approved') return contradicted(gateway, job)
    const swaps: Swap[] = [{ table: 'job', from: job, to: null }]
    if (row.status === 'SENT') swaps.push({ table: 'payment_transaction', from: row, to: ended(row, said) })
    return (await commit(gateway, swaps)) ? said.code : CHANGED
  },
})

const CHANGED = 'was changed meanwhile'

const commit = async ({ storage, ids }: Context, swaps: readonly Swap[]): Promise<boolean> =>
  (await storage.commit({ id: ids.ordered(), guards: [], swaps, rows: {} })).kind === 'committed'

/** The job as it is from now on: due again after a while, should this process end first, or the acquirer not answer. */
async function takeOver(gateway: Context, from: JobRow): Promise<JobRow | undefined> {
  const waitMs = limits.attemptWaitsMs[Math.min(from.attempts, limits.attemptWaitsMs.length - 1)] ?? 0
  const to = { ...from, attempts: from.attempts + 1, due_at_ms: gateway.clock.now() + waitMs, held_until_ms: null }
  return (await commit(gateway, [{ table: 'job', from, to }])) ? to : undefined
}

/** "Give up only by operator after 7 days" (domain, Timeout, reversal): from then on it lies in sight. */
async function later(gateway: Context, job: JobRow): Promise<string> {
  const { clock, log } = gateway
  log.error({ job: END_ATTEMPT, subject: job.subject_id, attempts: job.attempts })
  const isOver = clock.now() - job.created_at_ms >= limits.attemptGivenUpMs
  const last_error = 'the acquirer does not answer'
  if (isOver) await park(gateway, job, last_error)
  return last_error
}

/** What was approved meanwhile stands: to end it again could undo it. */
async function settled(gateway: Context, from: JobRow): Promise<string> {
  return (await commit(gateway, [{ table: 'job', from, to: null }])) ? 'was approved' : CHANGED
}

/** What merchants were told stays; only people can find out whose books are right. */
async function contradicted(gateway: Context, job: JobRow): Promise<string> {
  const last_error = 'the acquirer has done what it had undone'
  gateway.log.error({ job: END_ATTEMPT, subject: job.subject_id, error: last_error })
  await park(gateway, job, last_error)
  return last_error
}

const park = (gateway: Context, from: JobRow, last_error: string): Promise<boolean> =>
  commit(gateway, [{ table: 'job', from, to: { ...from, parked_at_ms: gateway.clock.now(), last_error } }])

function questionOf({ transactions }: StoredTree, row: TransactionRow): OpenQuestion {
  const original = transactions.find(({ id }) => id === row.referenced_id)
  return { ...requestedOf(row), original: original && originalOf(original) }
}

function ended(row: TransactionRow, said: Said): TransactionRow {
  const status = statusOfSaid(said, said.code)
  return {
    ...row,
    status,
    amount_minor: status === 'ACK' ? said.amountMinor : row.amount_minor,
    result_code: said.code,
    outcome: outcomeWith(row.outcome, said),
  }
}
