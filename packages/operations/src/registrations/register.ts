import { dispatch, httpStatusOf, paymentRefusal, statusOf } from '@tollgate/domain'
import type { AcquirerResponse } from '../acquirer/acquirer-response.ts'
import type { Channel } from '../directory/channel.ts'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { SentAccount } from '../parameters/account.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import { acceptanceSubject } from '../payments/acceptance.ts'
import { echoFor } from '../records/echo.ts'
import { verifyAccount } from './account-verification.ts'
import { accountView } from '../records/masked-account.ts'
import { checkSentInstruction } from '../payments/card-on-file.ts'
import type { UsableInstrument } from '../accounts/instrument.ts'
import { resolveAccount, type ResolvedAccount } from '../accounts/resolve-account.ts'
import { type Outcome, resultView } from '../records/outcome.ts'
import { initialTransactionIdOf } from '../records/payment-record.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { answerAbout } from '../records/transaction-view.ts'
import { newRegistration } from '../payments/new-registration.ts'

/**
 * RG: stores payment details without a payment. A refused registration is not stored, because no later request can
 * refer to it.
 */
export const register = async (context: Context, request: AccountRequest<SentAccount>): Promise<PendingUnit> =>
  registerAccount(context, await resolveAccount(context, request))

/** Registers the account of a request. */
export async function registerAccount(
  context: Context,
  { request, instrument }: ResolvedAccount,
): Promise<PendingUnit> {
  if (instrument.kind === 'unusable') return { answer: refusalAnswer(context, request, instrument.refusal) }
  const channel = dispatch(request.channels, instrument.brand, undefined)
  const refusal = paymentRefusal(acceptanceSubject(context, { request, channel, type: undefined }, instrument))
  if (refusal) return { answer: refusalAnswer(context, request, refusal) }
  // A sent id comes from another provider: the agreement is older than this registration.
  const priorId = request.instruction.initialTransactionId ?? migrationReference(request)
  const checked = checkSentInstruction(request, channel, instrument, priorId)
  if (checked?.kind === 'refused') return { answer: refusalAnswer(context, request, checked) }

  const id = context.ids.random()
  const verification = await verifyAccount(context, request, { id, channel, instrument })
  if (verification && statusOf(verification.code) !== 'ACK')
    return verificationDecline(context, request, { channel, instrument, verification })
  const instruction = checked?.instruction
  const initialTransactionId = priorId ?? (verification && initialTransactionIdOf(verification.details))
  const { transaction, account, registration } = await newRegistration(context, request, {
    id,
    channel,
    instrument,
    verified: verification !== undefined,
    instruction,
    initialTransactionId,
    transaction: {
      networkTransactionId: initialTransactionId,
      instruction,
      outcome: verification && verificationOutcome(instrument, verification),
    },
  })
  return {
    answer: answerAbout(context, request, transaction),
    transaction: { row: transaction },
    account,
    rows: { registration: [registration] },
  }
}

/**
 * The reference of a migration has the role of standingInstruction.initialTransactionId for an agreement from another
 * provider ("the scheme-generated id, or the processor's own"). The reference of a payout is ignored, because a payout
 * permits no later charge.
 */
const migrationReference = ({ migration }: AccountRequest): string | undefined =>
  migration?.paymentType === 'CD' ? undefined : migration?.reference

/** The answer to a request whose verification the acquirer declined. */
export function verificationDecline(
  { render }: Context,
  request: AccountRequest,
  declined: {
    readonly channel: Channel
    readonly instrument: UsableInstrument
    readonly verification: AcquirerResponse
  },
): PendingUnit {
  const { channel, instrument, verification } = declined
  const { code } = verification
  const head = { id: request.requestId, paymentBrand: instrument.brand }
  const outcome = JSON.stringify(verificationOutcome(instrument, verification))
  const body = render.body(
    head,
    request,
    outcome,
    JSON.stringify(echoFor(channel, request.parameters, instrument.account)),
  )
  return { answer: { status: httpStatusOf(code), code, body } }
}

/** The outcome of a verification, with the acquirer's facts about the account. */
export function verificationOutcome(
  { account, masked, brandResult }: UsableInstrument,
  { code, avs, cvv, details, accountFacts, pos }: AcquirerResponse,
): Outcome {
  return {
    brandResult,
    result: resultView(code, avs, cvv),
    resultDetails: details,
    pos,
    ...accountView(account, masked, accountFacts),
  }
}
