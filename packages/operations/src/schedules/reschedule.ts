import { registrationUseRefusal } from '@tollgate/domain'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { Requests } from '../requests.ts'
import { requiredChannelOf } from '../directory/visibility.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { activePlan } from './active-plan.ts'
import { newPlan } from './new-plan.ts'
import { isJobParameter, planRecord, type PlanRecord } from '../records/plan-record.ts'

/** RS: replaces a plan. Parameters that are not sent are kept, except `job.*` if any field of the job is sent. */
export async function reschedule(context: Context, request: Requests['reschedule']): Promise<PendingUnit> {
  const active = await activePlan(context, request, '100.360.300')
  if (active.kind !== 'active') return { answer: refusalAnswer(context, request, active) }
  const { row, timer, tree } = active
  const { registration } = tree
  const channel = requiredChannelOf(request, registration)
  const refusal = registrationUseRefusal({ registration, channel: channel.id, atMs: request.atMs })
  if (refusal) return { answer: refusalAnswer(context, request, refusal) }
  const record = changedRecord(planRecord(row), request.plan, {
    timeZone: channel.settings.timeZone,
    madeAtMs: request.atMs,
  })
  const text = 'This plan replaces the former one.'
  return newPlan(context, request, { type: 'RS', tree, channel, record, replaced: { row, timer }, text })
}

/** The fields of a job depend on each other: they are replaced as a whole, with the current time and time zone. */
function changedRecord(
  before: PlanRecord,
  sent: PlanRecord['parameters'],
  now: Omit<PlanRecord, 'parameters'>,
): PlanRecord {
  if (!Object.keys(sent).some(isJobParameter)) return { ...before, parameters: { ...before.parameters, ...sent } }
  const otherParameters = Object.entries(before.parameters).filter(([name]) => !isJobParameter(name))
  return { ...now, parameters: { ...Object.fromEntries(otherParameters), ...sent } }
}
