import type { RequestParameters } from '@tollgate/contract'
import type { TestMode } from '@tollgate/domain'
import { inquire } from '../acquirer/send-authorisation.ts'
import type { AcquirerResponse } from '../acquirer/acquirer-response.ts'
import type { Channel } from '../directory/channel.ts'
import type { Context } from '../context.ts'
import type { Call } from '../request.ts'
import { acquirerAccount, authorisationRequest } from '../acquirer/authorisation-request.ts'
import { type AccountKind, isOfNetwork } from '../records/masked-account.ts'
import { INITIAL_ID } from '../payments/card-on-file.ts'
import { descriptorOf } from '../records/descriptor.ts'
import type { UsableInstrument } from '../accounts/instrument.ts'

/** ISO 4217 for "no currency is involved". */
const NO_CURRENCY = 'XXX'

/** Whether a request wants an account verified by itself, where that is possible. */
export const isVerificationRequested = ({ parameters: { values } }: Call, kind: AccountKind): boolean =>
  isOfNetwork(kind) && (Number(values.get('amount') ?? 1) === 0 || beginsAgreement(values))

/**
 * Charges under an agreement bear the network's id of the transaction that began it, which may be a verification. An
 * agreement that was made elsewhere has its id already.
 */
const beginsAgreement = (values: RequestParameters['values']): boolean =>
  values.get('standingInstruction.mode') === 'INITIAL' &&
  !values.has(INITIAL_ID) &&
  !values.has('recurringMigration.paymentType')

/** What is verified, and where. */
interface Verification {
  /** Of the transaction that stores the account. */
  readonly id: string
  readonly channel: Channel
  readonly instrument: UsableInstrument
  /** Of the registration that is changed; else the request's. */
  readonly testMode?: TestMode
}

/**
 * Asks the acquirer whether a card that is to be stored is good ("zero-amount PA = account verification"): where the
 * channel is set so, or the request has `amount=0.00` or begins an agreement. Only cards can be verified.
 *
 * @returns undefined where no verification is due
 */
export async function verifyAccount(
  context: Context,
  call: Call,
  { id, channel, instrument, testMode }: Verification,
): Promise<AcquirerResponse | undefined> {
  const { values } = call.parameters
  const { account: kind, brand } = instrument
  if (!isVerificationRequested(call, kind) && !(channel.settings.verifyRegistrations && isOfNetwork(kind)))
    return undefined
  return inquire(
    context,
    authorisationRequest(
      call,
      { type: 'PA', amountMinor: 0, currency: values.get('currency') ?? NO_CURRENCY },
      {
        transactionId: id,
        brand,
        ...(testMode && { testMode }),
        descriptor: descriptorOf(call.parameters, id, channel),
        partialApproval: false,
        account: acquirerAccount(instrument),
      },
    ),
  )
}
