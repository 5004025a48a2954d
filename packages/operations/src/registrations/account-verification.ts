import type { TestMode } from '@tollgate/domain'
import { attemptFactsOf } from '../acquirer/card-retries.ts'
import { routingOf } from '../acquirer/connector-of.ts'
import { sendVerification } from '../acquirer/send-authorisation.ts'
import { type AcquirerResponse, notSent } from '../acquirer/acquirer-response.ts'
import type { Channel } from '../directory/channel.ts'
import { runWaiting } from '../answer.ts'
import type { Context } from '../context.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import { isZero } from '../parameters/money.ts'
import { acquirerAccount, authorisationRequest } from '../acquirer/authorisation-request.ts'
import { type AccountKind, hasCardNetwork } from '../records/masked-account.ts'
import { testModeOf } from '../records/new-transaction.ts'
import { descriptorOf } from '../records/descriptor.ts'
import type { UsableInstrument } from '../accounts/instrument.ts'

/** ISO 4217 for "no currency is involved". */
const NO_CURRENCY = 'XXX'

/** Whether a request has `amount=0.00` or begins an agreement, and accounts of the kind can be verified. */
export const isVerificationRequested = (request: AccountRequest, kind: AccountKind): boolean =>
  hasCardNetwork(kind) && (isZero(request.money) || beginsAgreement(request))

/**
 * Whether a request begins an agreement that has no network transaction id yet. Each charge under the agreement must
 * contain such an id, and the verification obtains it. An agreement from another provider has an id already.
 */
const beginsAgreement = ({ instruction: { mode, initialTransactionId }, migration }: AccountRequest): boolean =>
  mode === 'INITIAL' && initialTransactionId === undefined && migration?.paymentType === undefined

/** The account to verify, and the channel. */
interface Verification {
  /** The id of the transaction that stores the account. */
  readonly id: string
  readonly channel: Channel
  readonly instrument: UsableInstrument
  /** The test mode of the changed registration; undefined: that of the request. */
  readonly testMode?: TestMode
}

/**
 * Verifies a card at the acquirer before it is stored ("zero-amount PA = account verification"): if the setting
 * `verifyRegistrations` requires it, or the request has `amount=0.00` or begins an agreement. Only cards and tokens can
 * be verified.
 *
 * @returns undefined if no verification is required
 */
export async function verifyAccount(
  context: Context,
  request: AccountRequest,
  { id, channel, instrument, testMode }: Verification,
): Promise<AcquirerResponse | undefined> {
  const { account: kind, brand } = instrument
  if (!isVerificationRequested(request, kind) && !(channel.settings.verifyRegistrations && hasCardNetwork(kind)))
    return undefined
  const routing = routingOf(context, { request, channel, id }, instrument)
  if (!routing) return notSent('no connector of this channel supports the account')
  const verification = authorisationRequest(
    request,
    { type: 'PA', amountMinor: 0, currency: request.money.currency ?? NO_CURRENCY },
    {
      transactionId: id,
      brand,
      testMode: testMode === undefined ? testModeOf(request, channel) : testMode,
      descriptor: descriptorOf(request.reference, id, channel),
      partialApproval: false,
      account: acquirerAccount(instrument),
    },
  )
  return runWaiting(request, () => sendVerification(context, verification, routing, attemptFactsOf(request, channel)))
}
