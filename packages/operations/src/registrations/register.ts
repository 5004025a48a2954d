import { dispatch, httpStatusOf, paymentRefusal, statusOf } from '@tollgate/domain'
import type { AcquirerResponse } from '../acquirer/acquirer-response.ts'
import type { Channel } from '../directory/channel.ts'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { Call } from '../request.ts'
import { acceptanceSubject } from '../payments/acceptance.ts'
import { echoOn } from '../records/echo.ts'
import { verifyAccount } from './account-verification.ts'
import { accountView } from '../records/masked-account.ts'
import { checkedInstruction, INITIAL_ID } from '../payments/card-on-file.ts'
import type { Instrument, UsableInstrument } from '../accounts/instrument.ts'
import { type Outcome, resultView } from '../records/outcome.ts'
import { ownIdOf } from '../records/payment-record.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { answerAbout } from '../records/transaction-view.ts'
import { newRegistration } from '../payments/new-registration.ts'

/** RG: stores payment details without a payment. What is refused is not kept: there is nothing to refer to later. */
export async function register(context: Context, call: Call, instrument: Instrument): Promise<PendingUnit> {
  if (instrument.kind === 'unusable') return { answer: refusalAnswer(context, call, instrument.why) }
  const { values } = call.parameters
  const channel = dispatch(call.channels, instrument.brand, undefined)
  const offer = { reach: context, channel, parameters: call.parameters, instrument, type: undefined }
  const why = paymentRefusal(acceptanceSubject(offer))
  if (why) return { answer: refusalAnswer(context, call, why) }
  // One that is sent comes from elsewhere: the agreement was made before this registration.
  const before = values.get(INITIAL_ID) ?? migratedFrom(call)
  const checked = checkedInstruction(call, channel, instrument, before)
  if (checked?.kind === 'refused') return { answer: refusalAnswer(context, call, checked) }

  const id = context.ids.random()
  const verification = await verifyAccount(context, call, { id, channel, instrument })
  if (verification && statusOf(verification.code) !== 'ACK')
    return decline(context, call, { channel, instrument, verification })
  const instruction = checked?.instruction
  const initialTransactionId = before ?? (verification && ownIdOf(verification.details))
  const { transaction, account, registration } = await newRegistration(context, call, {
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
    answer: answerAbout(context, call, transaction),
    transaction: { row: transaction },
    account,
    rows: { registration: [registration] },
  }
}

/**
 * "connectorTxId1, 2, 3: acquirer response details of the initial payment": the first that is sent says, of an
 * agreement that was made elsewhere, what standingInstruction.initialTransactionId would ("the scheme-generated id, or
 * the processor's own"). Under a payout nothing can be charged.
 */
function migratedFrom({ parameters: { values } }: Call): string | undefined {
  if (values.get('recurringMigration.paymentType') === 'CD') return undefined
  const references = (['1', '2', '3'] as const).map((one) => values.get(`recurringMigration.connectorTxId${one}`))
  return references.find((reference) => reference !== undefined)
}

/** The acquirer knows better: the account is not good. */
export function decline(
  { render }: Context,
  call: Call,
  about: { readonly channel: Channel; readonly instrument: UsableInstrument; readonly verification: AcquirerResponse },
): PendingUnit {
  const { channel, instrument, verification } = about
  const { code } = verification
  const head = { id: call.requestId, paymentBrand: instrument.brand }
  const outcome = JSON.stringify(verifiedOutcome(instrument, verification))
  const body = render.body(head, call, outcome, JSON.stringify(echoOn(channel, call.parameters, instrument.account)))
  return { answer: { status: httpStatusOf(code), code, body } }
}

/** What is said of an account that the acquirer was asked about. */
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
