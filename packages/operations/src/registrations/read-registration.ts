import { unknownRegistration, registrationUseRefusal } from '@tollgate/domain'
import { type Answer, formatTime } from '../answer.ts'
import type { Context } from '../context.ts'
import type { PathRequest } from '../requests.ts'
import { detailsOf, kindOf } from '../records/account-record.ts'
import { accountView, maskedAccountOf } from '../records/masked-account.ts'
import { type Outcome, resultView } from '../records/outcome.ts'
import { visibilityOf } from '../directory/visibility.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { registrationSuccess } from '../records/registration-record.ts'
import { registrationTreeOf } from '../records/registration-tree.ts'

/** Reads a stored registration. A request for a deregistered or expired registration is refused. */
export async function readRegistration(context: Context, request: PathRequest): Promise<Answer> {
  const tree = await registrationTreeOf(context, request, request.id)
  if (!tree) return refusalAnswer(context, request, unknownRegistration.use)
  const { registration, account, root, latest } = tree
  const visibility = visibilityOf(context, request, root)
  const refusal = registrationUseRefusal({
    registration,
    channel: visibility === 'visible' ? registration.channel : '',
    atMs: request.atMs,
  })
  if (refusal) return refusalAnswer(context, request, refusal)
  const code = registrationSuccess(root)
  const outcome: Outcome = {
    result: resultView(code),
    resultDetails: {
      ExtendedDescription: 'The payment details are stored.',
      RetainedUntil: formatTime(registration.expiresAtMs),
      ...(registration.verifiedAtMs !== null && { VerifiedAt: formatTime(registration.verifiedAtMs) }),
      ...(registration.initialTransactionId !== null && {
        CardholderInitiatedTransactionID: registration.initialTransactionId,
      }),
    },
    ...accountView(kindOf(account), maskedAccountOf(account, detailsOf(account))),
  }
  const head = { id: registration.id, paymentBrand: account.brand ?? undefined }
  return {
    status: 200,
    code,
    body: context.render.body(head, request, JSON.stringify(outcome), latest.echo),
  }
}
