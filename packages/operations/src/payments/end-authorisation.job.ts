import { InvariantError, parametersOf, type ResultCode } from '@tollgate/contract'
import { type Hold, holdOf, isUndecided, type Tree } from '@tollgate/domain'
import type { CompareAndSet, JobRow } from '@tollgate/storage'
import { mapOutcome } from '../pending-unit.ts'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { followUpRequest } from '../parameters/follow-up-request.ts'
import { systemHead } from '../system-head.ts'
import { paymentTree } from '../records/payment-record.ts'
import { referToPayment } from './refer-to-payment.ts'
import type { JobKind } from '../job.ts'
import { jobDone, jobDue } from '../job-transitions.ts'
import { END_AUTHORISATION } from '../records/timers.ts'

/**
 * Ends authorisations at their expiry. The remaining held amount is reversed, because networks charge for
 * authorisations that are neither captured nor reversed. A log line warns a day before; there is no event, because
 * nothing has changed and the answer to the merchant contains the time of the expiry.
 */
export const endAuthorisations = (context: Context): JobKind => ({
  name: END_AUTHORISATION,
  queues: () => [''],
  concurrency: () => limits.expiryReversalsConcurrent,
  async run(job) {
    const stored = await context.storage.treeOf(job.subject_id)
    const tree = stored && paymentTree(stored)
    if (!tree) throw new InvariantError('timer of an authorisation has no payment', job.subject_id)
    const atMs = context.clock.now()
    // The held amount is final only after the outcome of each transaction: a capture may still be declined.
    if (tree.transactions.some(isUndecided)) {
      const postponed = jobDue(job, atMs + limits.timeoutReversalAfterMs)
      return commitTransition(context, postponed, 'a transaction has no outcome yet')
    }
    const hold = holdOf(tree, atMs)
    if (hold.heldMinor === 0) return commitTransition(context, jobDone(job), 'no amount is held')
    if (!hold.isExpired) return warn(context, job, tree)
    return release(context, job, tree, hold)
  },
})

async function commitTransition(context: Context, transition: CompareAndSet, outcome: string): Promise<string> {
  await commitChange(context, { compareAndSets: [transition] })
  return outcome
}

async function warn(context: Context, job: JobRow, { transactions }: Tree): Promise<string> {
  const endsAtMs = Math.max(...transactions.map(({ facts }) => facts.expiresAtMs ?? 0))
  context.counts.expiryWarnings += 1
  context.log.info({ job: END_AUTHORISATION, subject: job.subject_id, endsAt: new Date(endsAtMs).toISOString() })
  return commitTransition(context, jobDue(job, endsAtMs), 'the authorisation expires soon')
}

/** The refusal while another reversal, which another process has begun meanwhile, has no result. */
const CHANGING: ResultCode = '800.700.100'

/**
 * Reverses the held amount, and removes the timer in the same unit of work. While another reversal has no result, the
 * timer is postponed.
 */
async function release(context: Context, job: JobRow, { transactions: [root] }: Tree, hold: Hold): Promise<string> {
  const channel = context.directory.channel(root?.channel ?? '')
  if (!channel) throw new InvariantError('payment has no channel', root?.id)
  const mark = { requestId: context.ids.ordered(), atMs: context.clock.now() }
  const request = followUpRequest(systemHead(mark, channel, parametersOf({ paymentType: 'RV' })), job.subject_id)
  const decide = async () => {
    const pending = await referToPayment(context, request, { expiry: true })
    return mapOutcome(pending, (unit, row) => {
      const isPostponed = row === undefined && unit.answer.code === CHANGING
      const transition = isPostponed ? jobDue(job, mark.atMs + limits.timeoutReversalAfterMs) : jobDone(job)
      return { ...unit, compareAndSets: [...(unit.compareAndSets ?? []), transition] }
    })
  }
  const { code } = await context.commands.execute(request, undefined, decide, { mutexKey: job.subject_id })
  return `reversal of ${hold.heldMinor} minor units: ${code}`
}
