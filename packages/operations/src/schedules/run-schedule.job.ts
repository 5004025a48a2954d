import { InvariantError, isResultCode } from '@tollgate/contract'
import {
  type CatchUp,
  decideAfterRun,
  nextRun,
  type Plan,
  type Refused,
  registrationUseRefusal,
  runsDue,
} from '@tollgate/domain'
import type { JobRow, ScheduleRow, TransactionRow } from '@tollgate/storage'
import type { Answer, RequestMark } from '../answer.ts'
import type { Context } from '../context.ts'
import { CHANGED, type JobKind } from '../job.ts'
import { limits } from '../limits.ts'
import { narrow } from '../narrow.ts'
import { beginPayment } from '../payments/begin-payment.ts'
import { mapOutcome, type PendingUnit } from '../pending-unit.ts'
import { endPlans } from '../records/end-plans.ts'
import { resultDetailsOf } from '../records/payment-record.ts'
import { type ChangedPlan, continuePlan, endPlan, planChanges, planOf, planRecord } from '../records/plan-record.ts'
import { currentRegistration } from '../records/registration-record.ts'
import { RUN_SCHEDULE } from '../records/timers.ts'
import { chargeRequest } from './charge-request.ts'

/**
 * Charges plans whose timers are due. The outcome of a charge and the next state of its plan and timer are committed in
 * one unit, with a compare-and-set of both rows, so that no run is charged twice, even if the process is killed.
 */
export const runSchedules = (context: Context): JobKind => ({
  name: RUN_SCHEDULE,
  queues: () => [''],
  concurrency: () => limits.planRunsConcurrent,
  async run({ id }) {
    const mark = { requestId: context.ids.ordered(), atMs: context.clock.now() }
    // A job may decide several units. The command handler returns the answer of the unit that it committed.
    const outcomes = new Map<Answer, string>()
    const report = (pending: PendingUnit, outcome: string): PendingUnit => {
      outcomes.set(pending.answer, outcome)
      return pending
    }
    const decide = () => decideRun(context, id, mark, report)
    const answer = await context.commands.execute(mark, undefined, decide, { mutexKey: id })
    return outcomes.get(answer) ?? CHANGED
  },
})

/** Records the outcome of a pending unit, in a few words. @returns the unit */
type Report = (pending: PendingUnit, outcome: string) => PendingUnit

/** A plan and its rows as they were read. */
interface StoredPlan {
  readonly row: ScheduleRow
  readonly timer: JobRow
  readonly plan: Plan
}

/** The unit of a plan whose timer is due. */
async function decideRun(context: Context, id: string, mark: RequestMark, report: Report): Promise<PendingUnit> {
  const row = await context.storage.schedule(id)
  // The timer is read after the plan: a plan that has ended since has no timer.
  const timer = await context.storage.job(id)
  if (!timer || timer.due_at_ms > mark.atMs) return report({ answer: unusedAnswer() }, CHANGED)
  const channel = context.directory.channel(row?.channel ?? '')
  if (!row?.active || !channel) throw new InvariantError('schedule with a timer is inactive or has no channel', id)
  const stored = { row, timer, plan: planOf(row) }
  const isVoid = context.directory.isVoid(channel.id)
  const due = isVoid ? skippedRuns(stored, mark.atMs) : dueRun(stored, mark.atMs, channel.settings.missedRuns)
  if (due.kind === 'none') {
    const after = continuePlan({ ...row, last_run_at_ms: due.lastRunAtMs }, stored.plan, mark.atMs)
    return unitWithoutCharge(stored, after, report)
  }
  const refusal = await registrationRefusal(context, row, mark.atMs)
  if (refusal) return unitWithoutCharge(stored, endPlan(row, refusal.reason, mark.atMs), report)
  const charge = { planId: id, registrationId: row.registration_id, record: planRecord(row), runAtMs: due.runAtMs }
  const pending = await beginPayment(context, chargeRequest(mark, channel, charge))
  return unitWithCharge(context, stored, due, pending, report)
}

/** No client receives this answer. Each call returns a new object, because the object identifies its unit. */
const unusedAnswer = (): Answer => ({ status: 200, code: '000.000.100', body: '' })

/** The attempt that is due, or none; `lastRunAtMs`: the planned time of the last run that was attempted or skipped. */
type DueRun = Attempt | { readonly kind: 'none'; readonly lastRunAtMs: number | null }

/** An attempt to charge a run. */
interface Attempt {
  readonly kind: 'attempt'
  /** The planned time of the run. */
  readonly runAtMs: number
  /** The time of the first attempt at this run. */
  readonly firstAtMs: number
  readonly attempts: number
}

function dueRun({ row, plan }: StoredPlan, nowMs: number, missedRuns: CatchUp): DueRun {
  const { last_run_at_ms: lastMs, attempts, attempted_at_ms: firstAtMs } = row
  if (lastMs !== null && firstAtMs !== null && (retriesUntil(plan, lastMs) ?? Number.POSITIVE_INFINITY) > nowMs)
    return { kind: 'attempt', runAtMs: lastMs, firstAtMs, attempts: attempts + 1 }
  const due = runsDue(plan, lastMs ?? undefined, nowMs, missedRuns)
  const [runAtMs] = due.runs
  if (runAtMs === undefined) return { kind: 'none', lastRunAtMs: due.lastRunAtMs ?? null }
  return { kind: 'attempt', runAtMs, firstAtMs: nowMs, attempts: 1 }
}

/** Skips every run that is due, because the channel belongs to a sandbox that is off. */
const skippedRuns = ({ row, plan }: StoredPlan, nowMs: number): DueRun => {
  const { lastRunAtMs = null } = runsDue(plan, row.last_run_at_ms ?? undefined, nowMs, 'ALL')
  return { kind: 'none', lastRunAtMs }
}

/** The time at which retries of a run stop, because the next run is due or the plan ends. */
const retriesUntil = (plan: Plan, runAtMs: number): number | undefined => nextRun(plan, runAtMs) ?? plan.endsAtMs

/** The reason why the registration cannot be charged; undefined if it can. */
async function registrationRefusal({ storage }: Context, row: ScheduleRow, atMs: number): Promise<Refused | undefined> {
  const stored = await storage.registration(row.registration_id)
  if (!stored) throw new InvariantError('schedule has no registration', row.id)
  return registrationUseRefusal({
    registration: await currentRegistration(storage, stored, atMs),
    channel: row.channel,
    atMs,
  })
}

/** The unit of a plan that is not charged now. */
const unitWithoutCharge = ({ row, timer }: StoredPlan, after: ChangedPlan, report: Report): PendingUnit =>
  report(
    { answer: unusedAnswer(), compareAndSets: planChanges(row, timer, after) },
    `nothing due; ${descriptionOf(after)}`,
  )

/**
 * The unit of a charge, with the changes of its plan, and of other plans of the registration if its result ends them. A
 * remote request is sent only if the timer is unchanged: no other process has charged the run.
 */
function unitWithCharge(
  context: Context,
  stored: StoredPlan,
  attempt: Attempt,
  pending: PendingUnit,
  report: Report,
): Promise<PendingUnit> {
  const { row, timer } = stored
  const unchangedTimer = { table: 'job' as const, from: timer, to: timer }
  const first = pending.remoteRequest
    ? report({ ...pending, compareAndSets: [unchangedTimer] }, 'sent to the acquirer')
    : pending
  return mapOutcome(first, async (outcome, charge) => {
    if (!charge) throw new InvariantError('charge of a schedule has no transaction', row.id)
    const { after, endsAll } = afterCharge(stored, attempt, charge)
    const end = { reason: after.row.ended ?? '', atMs: charge.created_at_ms, except: row.id }
    const otherPlans = endsAll ? await endPlans(context.storage, row.registration_id, end) : []
    const compareAndSets = [...(outcome.compareAndSets ?? []), ...planChanges(row, timer, after), ...otherPlans]
    return report({ ...outcome, compareAndSets }, `${outcome.answer.code}; ${descriptionOf(after)}`)
  })
}

/** A plan after an attempt at one of its runs, and whether all other plans of the registration end with it. */
function afterCharge(
  { row, plan }: StoredPlan,
  { runAtMs, firstAtMs, attempts }: Attempt,
  charge: TransactionRow,
): { readonly after: ChangedPlan; readonly endsAll: boolean } {
  const details = resultDetailsOf(charge)
  const atMs = charge.created_at_ms
  const next = decideAfterRun({
    code: narrow(isResultCode, charge.result_code),
    acquirerResponse: details['AcquirerResponse'],
    advice: details['MerchantAdviceCode'],
    atMs,
    firstAtMs,
    attempts,
    retriesEndAtMs: retriesUntil(plan, runAtMs),
  })
  const charged = { ...row, last_run_at_ms: runAtMs }
  switch (next.kind) {
    case 'retry':
      return {
        after: { row: { ...charged, attempts, attempted_at_ms: firstAtMs }, dueAtMs: next.atMs },
        endsAll: false,
      }
    case 'next':
      return { after: continuePlan(charged, plan, atMs), endsAll: false }
    case 'stop':
      return { after: endPlan(charged, next.reason, atMs), endsAll: next.scope === 'registration' }
  }
}

function descriptionOf({ row, dueAtMs }: ChangedPlan): string {
  if (dueAtMs === null) return `ended: ${row.ended}`
  return `${row.attempts > 0 ? 'again' : 'next'} at ${new Date(dueAtMs).toISOString()}`
}
