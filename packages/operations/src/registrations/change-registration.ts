import { InvariantError } from '@tollgate/contract'
import {
  type Refused,
  type RegistrationOperation,
  type RegistrationSubject,
  unknownRegistration,
} from '@tollgate/domain'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { ChangeRequest } from '../requests.ts'
import { echoFor } from '../records/echo.ts'
import { notificationTargetIn } from '../records/notification-target.ts'
import { channelOf } from '../directory/visibility.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { testModeRefusal } from '../records/registration-record.ts'
import { answerAbout } from '../records/transaction-view.ts'
import {
  type RegistrationChange,
  type RegistrationTree,
  registrationTreeOf,
  registrationUnit,
} from '../records/registration-tree.ts'

/**
 * RR, TE or DR: adds a transaction to the tree of a registration. If the tree changes before the commit, the command
 * handler decides again.
 *
 * @param decide decides with the current registration and the id of the new transaction
 */
export async function changeRegistration(
  context: Context,
  request: ChangeRequest,
  type: Exclude<RegistrationOperation, 'use'>,
  decide: (
    tree: RegistrationTree,
    subject: RegistrationSubject,
    id: string,
  ) => Promise<RegistrationChange | Refused | PendingUnit>,
): Promise<PendingUnit> {
  const tree = await registrationTreeOf(context, request, request.id)
  if (!tree) return { answer: refusalAnswer(context, request, unknownRegistration[type]) }
  const { registration } = tree
  const channel = channelOf(request, registration) ?? context.directory.channel(registration.channel)
  if (!channel) throw new InvariantError('registration has no channel', registration.id)
  const id = context.ids.ordered()
  const subject = { registration, channel: channel.id, atMs: request.atMs }
  const change = testModeRefusal(request.reference, tree.root) ?? (await decide(tree, subject, id))
  if (!('kind' in change)) return change
  if (change.kind === 'refused') return { answer: refusalAnswer(context, request, change) }
  const { echo = echoFor(channel, request.parameters) } = change
  const unit = registrationUnit(request, tree, { id, type, echo, notification: notificationTargetIn(request) }, change)
  return { answer: answerAbout(context, request, unit.transaction.row), ...unit }
}
