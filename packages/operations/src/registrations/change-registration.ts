import { InvariantError } from '@tollgate/contract'
import { type Refused, type RegistrationMove, type RegistrationSubject, unknownRegistration } from '@tollgate/domain'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { ChangeRequest } from '../requests.ts'
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
  request: ChangeRequest,
  type: Exclude<RegistrationMove, 'use'>,
  decide: (
    known: RegistrationTree,
    subject: RegistrationSubject,
    id: string,
  ) => Promise<Change | Refused | PendingUnit>,
): Promise<PendingUnit> {
  const known = await registrationTreeOf(context, request, request.id)
  if (!known) return { answer: refusalAnswer(context, request, unknownRegistration[type]) }
  const { registration } = known
  const channel = channelOf(request, registration) ?? context.directory.channel(registration.channel)
  if (!channel) throw new InvariantError('registration has no channel', registration.id)
  const id = context.ids.ordered()
  const subject = { registration, channel: channel.id, atMs: request.atMs }
  const change = otherTestMode(request.reference, known.root) ?? (await decide(known, subject, id))
  if (!('kind' in change)) return change
  if (change.kind === 'refused') return { answer: refusalAnswer(context, request, change) }
  const { echo = echoOn(channel, request.parameters) } = change
  const unit = registrationUnit(request, known, { id, type, echo, notification: notificationIn(request) }, change)
  return { answer: answerAbout(context, request, unit.transaction.row), ...unit }
}
