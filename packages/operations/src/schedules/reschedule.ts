import { InvariantError } from '@tollgate/contract'
import { useRegistration } from '@tollgate/domain'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { Call } from '../request.ts'
import { channelOf } from '../directory/visibility.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { livePlan } from './active-plan.ts'
import { newPlan } from './new-plan.ts'
import { isOfJob, planParameters, planRecord, type PlanRecord } from '../records/plan-record.ts'

/** RS: another plan takes the place of one. What is not sent is as it was. */
export async function reschedule(context: Context, call: Call): Promise<PendingUnit> {
  const live = await livePlan(context, call, '100.360.300')
  if (live.kind !== 'live') return { answer: refusalAnswer(context, call, live) }
  const { row, timer, known } = live
  const { registration } = known
  const channel = channelOf(call, registration)
  if (!channel) throw new InvariantError('request has no channel')
  const why = useRegistration({ registration, channel: channel.id, atMs: call.atMs })
  if (why) return { answer: refusalAnswer(context, call, why) }
  const record = changed(planRecord(row), planParameters(call.parameters), {
    timeZone: channel.settings.timeZone,
    madeAtMs: call.atMs,
  })
  const text = 'This plan has taken the place of the former one.'
  return newPlan(context, call, { type: 'RS', known, channel, record, replaced: { row, timer }, text })
}

/**
 * The job is one thing: what is sent of it takes the place of all of it, by the clock of now, for its fields say
 * nothing without each other.
 */
function changed(before: PlanRecord, sent: PlanRecord['parameters'], now: Omit<PlanRecord, 'parameters'>): PlanRecord {
  if (!Object.keys(sent).some(isOfJob)) return { ...before, parameters: { ...before.parameters, ...sent } }
  const others = Object.entries(before.parameters).filter(([name]) => !isOfJob(name))
  return { ...now, parameters: { ...Object.fromEntries(others), ...sent } }
}
