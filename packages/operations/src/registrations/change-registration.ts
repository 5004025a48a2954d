import { InvariantError } from '@tollgate/contract'
import { type Refused, type RegistrationMove, type Subject, unknownRegistration } from '@tollgate/domain'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { Call } from '../request.ts'
import { echoOn } from '../records/echo.ts'
import { notificationIn } from '../records/notification-target.ts'
import { channelOf } from '../directory/visibility.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { otherTestMode } from '../records/registration-record.ts'
import { answerAbout } from '../records/transaction-view.ts'
import {
  type Change,
  type RegistrationTree,
  registrationTreeOf,
  registrationUnit,
} from '../records/registration-tree.ts'

/**
 * RR, TE or DR: one more transaction in the tree of a registration. If the tree changes before the commit, the command
 * handler decides again.
 *
 * @param decide takes the registration as it is and the id of the new transaction
 */
export async function changeRegistration(
  context: Context,
  call: Call,
  type: Exclude<RegistrationMove, 'use'>,
  decide: (known: RegistrationTree, subject: Subject, id: string) => Promise<Change | Refused | PendingUnit>,
): Promise<PendingUnit> {
  const known = await registrationTreeOf(context, call)
  if (!known) return { answer: refusalAnswer(context, call, unknownRegistration[type]) }
  const { registration } = known
  const channel = channelOf(call, registration) ?? context.directory.channel(registration.channel)
  if (!channel) throw new InvariantError('registration has no channel', registration.id)
  const id = context.ids.ordered()
  const subject = { registration, channel: channel.id, atMs: call.atMs }
  const change = otherTestMode(call, known.root) ?? (await decide(known, subject, id))
  if (!('kind' in change)) return change
  if (change.kind === 'refused') return { answer: refusalAnswer(context, call, change) }
  const { echo = echoOn(channel, call.parameters) } = change
  const unit = registrationUnit(call, known, { id, type, echo, notification: notificationIn(call) }, change)
  return { answer: answerAbout(context, call, unit.transaction.row), ...unit }
}
