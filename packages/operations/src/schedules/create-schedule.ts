import { unknownRegistration, registrationUseRefusal } from '@tollgate/domain'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { Requests } from '../requests.ts'
import { requiredChannelOf } from '../directory/visibility.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { registrationTreeOf } from '../records/registration-tree.ts'
import { newPlan } from './new-plan.ts'

/** SD: plans the charges of a registration. */
export async function createSchedule(context: Context, request: Requests['createSchedule']): Promise<PendingUnit> {
  const { atMs } = request
  const tree = await registrationTreeOf(context, request, request.registrationId)
  if (!tree) return { answer: refusalAnswer(context, request, unknownRegistration.use) }
  const { registration } = tree
  const channel = requiredChannelOf(request, registration)
  const refusal = registrationUseRefusal({ registration, channel: channel.id, atMs })
  if (refusal) return { answer: refusalAnswer(context, request, refusal) }
  const { test_mode: testMode } = tree.root
  // The charges have the test mode of the registration.
  const parameters = { ...(testMode !== null && { testMode }), ...request.plan }
  const record = { parameters, timeZone: channel.settings.timeZone, madeAtMs: atMs }
  return newPlan(context, request, { type: 'SD', tree, channel, record, text: 'The charges are planned.' })
}
