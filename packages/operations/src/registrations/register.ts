import { dispatch, httpStatusOf, paymentRefusal, statusOf } from '@tollgate/domain'
import type { AcquirerResponse } from '../acquirer/acquirer-response.ts'
import type { Channel } from '../directory/channel.ts'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { SentAccount } from '../parameters/account.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import { acceptanceSubject } from '../payments/acceptance.ts'
import { echoOn } from '../records/echo.ts'
import { verifyAccount } from './account-verification.ts'
import { accountView } from '../records/masked-account.ts'
import { checkedInstruction } from '../payments/card-on-file.ts'
import type { UsableInstrument } from '../accounts/instrument.ts'
import { presentAccount, type PresentedAccount } from '../accounts/present-account.ts'
import { type Outcome, resultView } from '../records/outcome.ts'
import { ownIdOf } from '../records/payment-record.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { answerAbout } from '../records/transaction-view.ts'
import { newRegistration } from '../payments/new-registration.ts'

/**
 * RG: stores payment details without a payment. A refused one is not kept, because no later request can refer to it.
 */
export const register = async (context: Context, request: AccountRequest<SentAccount>): Promise<PendingUnit> =>
  registerAccount(context, await presentAccount(context, request))

/** @param presented an account that its request brings */
export async function registerAccount(
  context: Context,
  { request, instrument }: PresentedAccount,
): Promise<PendingUnit> {
  if (instrument.kind === 'unusable') return { answer: refusalAnswer(context, request, instrument.why) }
  const channel = dispatch(request.channels, instrument.brand, undefined)
  const why = paymentRefusal(acceptanceSubject(context, { request, channel, type: undefined }, instrument))
  if (why) return { answer: refusalAnswer(context, request, why) }
  // A sent id is another provider's: the agreement was made before this registration.
  const before = request.instruction.initialTransactionId ?? migratedFrom(request)
  const checked = checkedInstruction(request, channel, instrument, before)
  if (checked?.kind === 'refused') return { answer: refusalAnswer(context, request, checked) }

  const id = context.ids.random()
  const verification = await verifyAccount(context, request, { id, channel, instrument })
  if (verification && statusOf(verification.code) !== 'ACK')
    return decline(context, request, { channel, instrument, verification })
  const instruction = checked?.instruction
  const initialTransactionId = before ?? (verification && ownIdOf(verification.details))
  const { transaction, account, registration } = await newRegistration(context, request, {
    id,
    channel,
    instrument,
    verified: verification !== undefined,
    instruction,
    initialTransactionId,
    recorded: {
      networkTransactionId: initialTransactionId,
      instruction,
      outcome: verification && verifiedOutcome(instrument, verification),
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
 * provider ("the scheme-generated id, or the processor's own"). A payout permits no later charge.
 */
const migratedFrom = ({ migration }: AccountRequest): string | undefined =>
  migration?.paymentType === 'CD' ? undefined : migration?.reference

/** The acquirer declined the verification. */
export function decline(
  { render }: Context,
  request: AccountRequest,
  about: { readonly channel: Channel; readonly instrument: UsableInstrument; readonly verification: AcquirerResponse },
): PendingUnit {
  const { channel, instrument, verification } = about
  const { code } = verification
  const head = { id: request.requestId, paymentBrand: instrument.brand }
  const outcome = JSON.stringify(verifiedOutcome(instrument, verification))
  const body = render.body(
    head,
    request,
    outcome,
    JSON.stringify(echoOn(channel, request.parameters, instrument.account)),
  )
  return { answer: { status: httpStatusOf(code), code, body } }
}

/** The acquirer's facts about a verified account. */
export function verifiedOutcome(
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
