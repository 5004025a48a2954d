import { echoOf } from '@tollgate/contract'
import { effectiveEnd } from '@tollgate/domain'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { ChangeRequest } from '../requests.ts'
import { answerAbout } from '../records/transaction-view.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { changeOutcome, registrationUnit } from '../records/registration-tree.ts'
import { livePlan, type LivePlan } from './active-plan.ts'
import { type Continued, continued, planOf, planChanges } from '../records/plan-record.ts'
import { planView } from './plan-view.ts'

/** DS: ends a plan by its terms; runs that are due before its end are charged. */
export async function deschedule(context: Context, request: ChangeRequest): Promise<PendingUnit> {
  const live = await livePlan(context, request, '100.360.303')
  if (live.kind !== 'live') return { answer: refusalAnswer(context, request, live) }
  const { row: before, timer, known } = live
  const after = calledOff(live, request.atMs)
  const about = { id: context.ids.ordered(), type: 'DS', echo: echoOf(request.parameters), referencedId: before.id }
  const outcome = {
    ...changeOutcome(known.root, after.row.active ? 'The plan is called off.' : 'The plan has ended.'),
    plan: planView(after.row, after.dueAtMs, request.atMs),
  }
  const { registration } = known
  const unit = registrationUnit(request, known, about, {
    kind: 'go',
    registration,
    outcome,
    compareAndSets: planChanges(before, timer, after),
  })
  return { ...unit, answer: answerAbout(context, request, unit.transaction.row) }
}

/** Where a run that was declined is to be attempted again before the end, it still is. */
function calledOff({ row, timer }: LivePlan, atMs: number): Continued {
  const plan = planOf(row)
  const endsAtMs = effectiveEnd(plan, atMs)
  const to = { ...row, ends_at_ms: endsAtMs, descheduled_at_ms: atMs }
  if (row.attempts > 0 && timer.due_at_ms < endsAtMs) return { row: to, dueAtMs: timer.due_at_ms }
  return continued(to, { ...plan, endsAtMs }, atMs)
}
