import { InvariantError } from '@tollgate/contract'
import { unknownRegistration, useRegistration } from '@tollgate/domain'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { Call } from '../request.ts'
import { channelOf } from '../directory/visibility.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { registrationTreeOf } from '../records/registration-tree.ts'
import { newPlan } from './new-plan.ts'
import { planParameters } from '../records/plan-record.ts'

/** SD: plans the charges of a registration. */
export async function createSchedule(context: Context, call: Call): Promise<PendingUnit> {
  const { atMs } = call
  const known = await registrationTreeOf(context, { ...call, id: call.parameters.values.get('registrationId') ?? '' })
  if (!known) return { answer: refusalAnswer(context, call, unknownRegistration.use) }
  const { registration } = known
  const channel = channelOf(call, registration)
  if (!channel) throw new InvariantError('request has no channel')
  const why = useRegistration({ registration, channel: channel.id, atMs })
  if (why) return { answer: refusalAnswer(context, call, why) }
  const { test_mode: testMode } = known.root
  // Its charges are in the test mode of the registration.
  const parameters = { ...(testMode !== null && { testMode }), ...planParameters(call.parameters) }
  const record = { parameters, timeZone: channel.settings.timeZone, madeAtMs: atMs }
  return newPlan(context, call, { type: 'SD', known, channel, record, text: 'The charges are planned.' })
}
