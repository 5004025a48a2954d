import { InvariantError, isResultCode } from '@tollgate/contract'
import { afterRun, type CatchUp, nextRun, type Plan, type Refused, runsDue, useRegistration } from '@tollgate/domain'
import type { JobRow, ScheduleRow, TransactionRow } from '@tollgate/storage'
import type { Answer, RequestMark } from '../answer.ts'
import { mapOutcome, type PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import { known } from '../narrow.ts'
import { limits } from '../limits.ts'
import { beginPayment } from '../payments/begin-payment.ts'
import { resultDetailsOf } from '../records/payment-record.ts'
import { asItStands } from '../records/registration-record.ts'
import { chargeRequest } from './charge-request.ts'
import { endingPlans } from '../records/end-plans.ts'
import { type Continued, continued, ended, planOf, planRecord, planChanges } from '../records/plan-record.ts'
import { CHANGED, type JobKind } from '../job.ts'
import { RUN_SCHEDULE } from '../records/timers.ts'

/**
 * Makes the charges of plans. Each is committed in one unit with what becomes of its plan and timer, which are named as
 * they were read: so no run is made twice and none is lost, whenever the process ends.
 */
export const runSchedules = (context: Context): JobKind => ({
  name: RUN_SCHEDULE,
  queues: () => [''],
  together: () => limits.runsTogether,
  async run({ id }) {
    const mark = { requestId: context.ids.ordered(), atMs: context.clock.now() }
    const outcomes = new Map<Answer, string>()
    const say = (pending: PendingUnit, outcome: string): PendingUnit => {
      outcomes.set(pending.answer, outcome)
      return pending
    }
    const decide = () => stepOf(context, id, mark, say)
    const answer = await context.commands.execute(mark, undefined, decide, { reference: id })
    return outcomes.get(answer) ?? CHANGED
  },
})

/** The outcome of a pending unit in a few words. */
type Say = (pending: PendingUnit, outcome: string) => PendingUnit

/** A plan as it was read. */
interface Planned {
  readonly row: ScheduleRow
  readonly timer: JobRow
  readonly plan: Plan
}

/** The effect of a plan's due timer. */
async function stepOf(context: Context, id: string, mark: RequestMark, say: Say): Promise<PendingUnit> {
  const row = await context.storage.schedule(id)
  // Read last: the end of a plan removes its timer.
  const timer = await context.storage.job(id)
  if (!timer || timer.due_at_ms > mark.atMs) return say({ answer: unheard() }, CHANGED)
  const channel = context.directory.channel(row?.channel ?? '')
  if (!row?.active || !channel) throw new InvariantError('schedule with a timer is inactive or has no channel', id)
  const planned = { row, timer, plan: planOf(row) }
  const isVoid = context.directory.isVoid(channel.id)
  const turn = isVoid ? passedOver(planned, mark.atMs) : turnOf(planned, mark.atMs, channel.settings.missedRuns)
  if (turn.kind === 'none') {
    const settled = { ...row, last_run_at_ms: turn.lastRunAtMs }
    return without(planned, continued(settled, planned.plan, mark.atMs), say)
  }
  const why = await unusable(context, row, mark.atMs)
  if (why) return without(planned, ended(row, why.reason, mark.atMs), say)
  const charge = { planId: id, registrationId: row.registration_id, record: planRecord(row), runAtMs: turn.runAtMs }
  const pending = await beginPayment(context, chargeRequest(mark, channel, charge))
  return withPlan(context, planned, turn, pending, say)
}

/** There is no request, so the answer is discarded. */
const unheard = (): Answer => ({ status: 200, code: '000.000.100', body: '' })

/** An attempt at the run of a time, or none now; `lastRunAtMs`: the last run that is made or passed over. */
type Turn = Attempt | { readonly kind: 'none'; readonly lastRunAtMs: number | null }

interface Attempt {
  readonly kind: 'attempt'
  readonly runAtMs: number
  readonly firstAtMs: number
  readonly attempts: number
}

function turnOf({ row, plan }: Planned, nowMs: number, missedRuns: CatchUp): Turn {
  const { last_run_at_ms: lastMs, attempts, attempted_at_ms: firstAtMs } = row
  if (lastMs !== null && firstAtMs !== null && (boundOf(plan, lastMs) ?? Number.POSITIVE_INFINITY) > nowMs)
    return { kind: 'attempt', runAtMs: lastMs, firstAtMs, attempts: attempts + 1 }
  const due = runsDue(plan, lastMs ?? undefined, nowMs, missedRuns)
  const [runAtMs] = due.runs
  if (runAtMs === undefined) return { kind: 'none', lastRunAtMs: due.lastRunAtMs ?? null }
  return { kind: 'attempt', runAtMs, firstAtMs: nowMs, attempts: 1 }
}

/** The sandbox is off: nothing is charged, now or later. */
const passedOver = ({ row, plan }: Planned, nowMs: number): Turn => {
  const { lastRunAtMs = null } = runsDue(plan, row.last_run_at_ms ?? undefined, nowMs, 'ALL')
  return { kind: 'none', lastRunAtMs }
}

/** From when a run is not attempted any more: then the next one takes its place, or the plan ends. */
const boundOf = (plan: Plan, runAtMs: number): number | undefined => nextRun(plan, runAtMs) ?? plan.endsAtMs

/** Why the registration cannot be charged any more. */
async function unusable({ storage }: Context, row: ScheduleRow, atMs: number): Promise<Refused | undefined> {
  const stored = await storage.registration(row.registration_id)
  if (!stored) throw new InvariantError('schedule has no registration', row.id)
  return useRegistration({ registration: await asItStands(storage, stored, atMs), channel: row.channel, atMs })
}

/** This run is not charged. */
const without = ({ row, timer }: Planned, after: Continued, say: Say): PendingUnit =>
  say({ answer: unheard(), compareAndSets: planChanges(row, timer, after) }, `nothing due; ${told(after)}`)

/**
 * A charge, with the changes of its plan and of others that follow from its result. Before a request to an acquirer is
 * sent, the run is claimed against other processes.
 */
function withPlan(
  context: Context,
  planned: Planned,
  attempt: Attempt,
  pending: PendingUnit,
  say: Say,
): Promise<PendingUnit> {
  const { row, timer } = planned
  const asTheRunIs = { table: 'job' as const, from: timer, to: timer }
  const first = pending.attempt ? say({ ...pending, compareAndSets: [asTheRunIs] }, 'asked') : pending
  return mapOutcome(first, async (end, charge) => {
    if (!charge) throw new InvariantError('charge of a schedule has no transaction', row.id)
    const { after, endsAll } = afterCharge(planned, attempt, charge)
    const why = { why: after.row.ended ?? '', atMs: charge.created_at_ms, except: row.id }
    const others = endsAll ? await endingPlans(context.storage, row.registration_id, why) : []
    const compareAndSets = [...(end.compareAndSets ?? []), ...planChanges(row, timer, after), ...others]
    return say({ ...end, compareAndSets }, `${end.answer.code}; ${told(after)}`)
  })
}

/** A plan after an attempt at one of its runs, and whether all other plans of the registration end with it. */
function afterCharge(
  { row, plan }: Planned,
  { runAtMs, firstAtMs, attempts }: Attempt,
  charge: TransactionRow,
): { readonly after: Continued; readonly endsAll: boolean } {
  const details = resultDetailsOf(charge)
  const atMs = charge.created_at_ms
  const follows = afterRun({
    code: known(isResultCode, charge.result_code),
    acquirerResponse: details['AcquirerResponse'],
    advice: details['MerchantAdviceCode'],
    atMs,
    firstAtMs,
    attempts,
    nextRunAtMs: boundOf(plan, runAtMs),
  })
  const ran = { ...row, last_run_at_ms: runAtMs }
  switch (follows.kind) {
    case 'retry':
      return { after: { row: { ...ran, attempts, attempted_at_ms: firstAtMs }, dueAtMs: follows.atMs }, endsAll: false }
    case 'next':
      return { after: continued(ran, plan, atMs), endsAll: false }
    case 'stop':
      return { after: ended(ran, follows.reason, atMs), endsAll: follows.scope === 'registration' }
  }
}

function told({ row, dueAtMs }: Continued): string {
  if (dueAtMs === null) return `ended: ${row.ended}`
  return `${row.attempts > 0 ? 'again' : 'next'} at ${new Date(dueAtMs).toISOString()}`
}
