import { InvariantError } from '@tollgate/contract'
import type { AcquirerAccount, OpenRequest, RejectedMessage } from '@tollgate/connectors'
import type { JobRow, StoredTree, CompareAndSet, TransactionRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import { commitChange } from '../commit-change.ts'
import { CHANGED, type JobKind } from '../job.ts'
import { jobDeadLettered, jobDone, jobDue } from '../job-transitions.ts'
import { limits } from '../limits.ts'
import { openRequestOf, originalOf } from './authorisation-request.ts'
import { wasErased } from '../records/account-record.ts'
import { requestOutcome } from './attempts.ts'
import { connectorOfRow, needsAccountLater } from './connector-of.ts'
import { lendAccount } from './lend-account.ts'
import { sendReversal } from './remote-request.ts'
import { type AcquirerResponse, reversedAfterTimeout } from './acquirer-response.ts'
import type { NamedConnector } from './named-connector.ts'
import { REVERSAL_JOB } from '../records/timers.ts'
import { withOutcome } from './with-outcome.ts'

/**
 * Reverses requests to acquirers without an outcome: the process that sent the request stopped, or the acquirer did not
 * answer. First the job is postponed by compare-and-set, so that the process of the request can no longer store an
 * outcome. Then the reversal is sent, repeatedly until the acquirer acknowledges it. Then its result is stored.
 */
export const timeoutReversals = (context: Context): JobKind => ({
  name: REVERSAL_JOB,
  queues: () => [''],
  concurrency: () => limits.timeoutReversalsConcurrent,
  async run(leased) {
    const { storage } = context
    const stored = await storage.treeOf(leased.subject_id)
    const row = stored?.transactions.find(({ id }) => id === leased.subject_id)
    if (!stored || !row) throw new InvariantError('timeout reversal has no transaction', leased.subject_id)
    if (row.status === 'ACK') return keepApproval(context, leased)
    const named = await connectorOfRow(context, row)
    const job = await postpone(context, leased)
    if (!job) return CHANGED
    const account = needsAccountLater(named) ? await accountOf(context, row) : undefined
    if (account === 'erased') return keepForOperator(context, job, NUMBER_ERASED)
    const response = await reverse(context, named, reversalRequestOf(stored, row), account)
    if (response.status === 'timedOut') return retryLater(context, job)
    if (response.status === 'rejected') return retryRejected(context, job, rejectionsOf(leased), response.reason)
    if (row.status === 'NOK' && response.status === 'approved') return keepForOperator(context, job, CONTRADICTION)
    const compareAndSets: CompareAndSet[] = [jobDone(job), ...(await requestOutcome(context, row.id, response))]
    if (row.status === 'SENT')
      compareAndSets.push({ table: 'payment_transaction', from: row, to: withOutcome(row, response) })
    return (await commitChange(context, { compareAndSets })) ? response.code : CHANGED
  },
})

/** The error of an attempt without an answer; it is stored before the message is sent. */
const NO_ANSWER = 'the acquirer does not answer'

/** Postpones the job, so that it becomes due again if this process stops or the acquirer does not answer. */
async function postpone(context: Context, from: JobRow): Promise<JobRow | undefined> {
  const waitMs = limits.timeoutReversalWaitsMs[Math.min(from.attempts, limits.timeoutReversalWaitsMs.length - 1)] ?? 0
  const postponed = jobDue(from, context.clock.now() + waitMs, {
    attempts: from.attempts + 1,
    lastError: NO_ANSWER,
  })
  return (await commitChange(context, { compareAndSets: [postponed] })) ? postponed.to : undefined
}

/** "Give up only by operator after 7 days" (domain, Timeout, reversal): after that the job is dead-lettered. */
async function retryLater(context: Context, job: JobRow): Promise<string> {
  const { clock, log } = context
  log.error({ job: REVERSAL_JOB, subject: job.subject_id, attempts: job.attempts })
  const ageMs = clock.now() - job.created_at_ms
  if (ageMs >= limits.timeoutReversalDeadLetterMs) await deadLetter(context, job, NO_ANSWER)
  return NO_ANSWER
}

/** The rejections in a row before this attempt; attempts without an answer are none, however many there were. */
const rejectionsOf = ({ attempts, last_error: error }: JobRow): number =>
  error === null || error === NO_ANSWER ? 0 : attempts

/**
 * Repeats a message that the acquirer rejects a few times, in case that it was damaged on its way. Then it waits for an
 * operator: "a 0230 with DE39 30/12/14 goes to a repair queue" (domain, Timeout, reversal).
 *
 * @param earlier the rejections in a row before this one
 */
async function retryRejected(context: Context, job: JobRow, earlier: number, reason: string): Promise<string> {
  const attempts = earlier + 1
  context.log.error({ job: REVERSAL_JOB, subject: job.subject_id, attempts, error: reason })
  if (attempts >= limits.rejectedMessagesMax) await deadLetter(context, job, reason)
  else await commitChange(context, { compareAndSets: [jobDue(job, job.due_at_ms, { attempts, lastError: reason })] })
  return reason
}

const CONTRADICTION = 'the acquirer reports an approval after it acknowledged the reversal'
const NUMBER_ERASED = 'the account number was erased, and the acquirer takes no message without it'

/** Completes the job: an approval that is already stored is final, and a reversal would revert it. */
async function keepApproval(context: Context, from: JobRow): Promise<string> {
  return (await commitChange(context, { compareAndSets: [jobDone(from)] }))
    ? 'not reversed: the transaction was approved'
    : CHANGED
}

/** Dead-letters the job. The stored outcome does not change: the operator has to reconcile it with the acquirer. */
async function keepForOperator(context: Context, job: JobRow, reason: string): Promise<string> {
  context.log.error({ job: REVERSAL_JOB, subject: job.subject_id, error: reason })
  await deadLetter(context, job, reason)
  return reason
}

const deadLetter = (context: Context, job: JobRow, reason: string): Promise<boolean> =>
  commitChange(context, { compareAndSets: [jobDeadLettered(job, context.clock.now(), reason)] })

/**
 * Sends the reversal, and erases the lent account number, also after an error. A connector in this process has nothing
 * to reverse, because its responses are committed together with their payments.
 */
async function reverse(
  context: Context,
  named: NamedConnector,
  request: OpenRequest,
  account: AcquirerAccount | undefined,
): Promise<AcquirerResponse | RejectedMessage> {
  const { name, connector } = named
  if (connector.kind === 'local') return reversedAfterTimeout
  try {
    return await sendReversal(context, { name, connector }, request, { account })
  } finally {
    account?.number?.wipe()
  }
}

/** The account of a transaction with its number, for one message; undefined if it never had a stored number. */
async function accountOf(
  context: Context,
  { account_id: id }: TransactionRow,
): Promise<AcquirerAccount | 'erased' | undefined> {
  const stored = id === null ? undefined : await context.storage.account(id)
  return stored && wasErased(stored) ? 'erased' : lendAccount(context, stored)
}

function reversalRequestOf({ transactions }: StoredTree, row: TransactionRow): OpenRequest {
  const original = transactions.find(({ id }) => id === row.referenced_id)
  return { ...openRequestOf(row), original: original && originalOf(original, transactions) }
}
