import { echoOf } from '@tollgate/contract'
import { effectiveEnd } from '@tollgate/domain'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { ChangeRequest } from '../requests.ts'
import { answerAbout } from '../records/transaction-view.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { changeOutcome, registrationUnit } from '../records/registration-tree.ts'
import { activePlan, type ActivePlan } from './active-plan.ts'
import { type ChangedPlan, continuePlan, planOf, planChanges } from '../records/plan-record.ts'
import { planView } from './plan-view.ts'

/** DS: ends a plan by its terms; runs that are due before its end are charged. */
export async function deschedule(context: Context, request: ChangeRequest): Promise<PendingUnit> {
  const active = await activePlan(context, request, '100.360.303')
  if (active.kind !== 'active') return { answer: refusalAnswer(context, request, active) }
  const { row: before, timer, tree } = active
  const after = descheduledPlan(active, request.atMs)
  const transaction = {
    id: context.ids.ordered(),
    type: 'DS',
    echo: echoOf(request.parameters),
    referencedId: before.id,
  }
  const outcome = {
    ...changeOutcome(tree.root, after.row.active ? 'The plan was descheduled.' : 'The plan has ended.'),
    plan: planView(after.row, after.dueAtMs, request.atMs),
  }
  const { registration } = tree
  const unit = registrationUnit(request, tree, transaction, {
    kind: 'go',
    registration,
    outcome,
    compareAndSets: planChanges(before, timer, after),
  })
  return { ...unit, answer: answerAbout(context, request, unit.transaction.row) }
}

/** The plan after its cancellation. A retry of a declined run that is due before the end is kept. */
function descheduledPlan({ row, timer }: ActivePlan, atMs: number): ChangedPlan {
  const plan = planOf(row)
  const endsAtMs = effectiveEnd(plan, atMs)
  const to = { ...row, ends_at_ms: endsAtMs, descheduled_at_ms: atMs }
  if (row.attempts > 0 && timer.due_at_ms < endsAtMs) return { row: to, dueAtMs: timer.due_at_ms }
  return continuePlan(to, { ...plan, endsAtMs }, atMs)
}
