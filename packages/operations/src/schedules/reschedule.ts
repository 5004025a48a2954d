import { useRegistration } from '@tollgate/domain'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { Requests } from '../requests.ts'
import { channelFor } from '../directory/visibility.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { livePlan } from './active-plan.ts'
import { newPlan } from './new-plan.ts'
import { isOfJob, planRecord, type PlanRecord } from '../records/plan-record.ts'

/** RS: replaces a plan. Parameters that are not sent stay. */
export async function reschedule(context: Context, request: Requests['reschedule']): Promise<PendingUnit> {
  const live = await livePlan(context, request, '100.360.300')
  if (live.kind !== 'live') return { answer: refusalAnswer(context, request, live) }
  const { row, timer, known } = live
  const { registration } = known
  const channel = channelFor(request, registration)
  const why = useRegistration({ registration, channel: channel.id, atMs: request.atMs })
  if (why) return { answer: refusalAnswer(context, request, why) }
  const record = changed(planRecord(row), request.plan, {
    timeZone: channel.settings.timeZone,
    madeAtMs: request.atMs,
  })
  const text = 'This plan has taken the place of the former one.'
  return newPlan(context, request, { type: 'RS', known, channel, record, replaced: { row, timer }, text })
}

/** The fields of the job are replaced as a whole, by the current clock, because they depend on each other. */
function changed(before: PlanRecord, sent: PlanRecord['parameters'], now: Omit<PlanRecord, 'parameters'>): PlanRecord {
  if (!Object.keys(sent).some(isOfJob)) return { ...before, parameters: { ...before.parameters, ...sent } }
  const others = Object.entries(before.parameters).filter(([name]) => !isOfJob(name))
  return { ...now, parameters: { ...Object.fromEntries(others), ...sent } }
}
