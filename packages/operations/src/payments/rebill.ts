import { InvariantError, type ParameterName } from '@tollgate/contract'
import { isTestMode, paymentRefusal, type Refused, refusesDuplicates, type Unknown } from '@tollgate/domain'
import { sendAuthorisation } from '../acquirer/send-authorisation.ts'
import { statusOfResponse } from '../acquirer/acquirer-response.ts'
import type { Refusal } from '../answer.ts'
import type { DecidedUnit, PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { AccountOnFile } from '../parameters/account-on-file.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import { known } from '../narrow.ts'
import { acceptanceSubject } from './acceptance.ts'
import { sealedAccount } from '../records/account-record.ts'
import { authorisationRequest, acquirerAccount } from '../acquirer/authorisation-request.ts'
import { checkedInstruction, type OnFile, onFile } from './card-on-file.ts'
import { releaseAfter, type UsableInstrument } from '../accounts/instrument.ts'
import { uniqueOf } from './duplicates.ts'
import { instrumentOfAccount } from '../accounts/stored-instrument.ts'
import { initialTransactionIdOf, resultDetailsOf } from '../records/payment-record.ts'
import type { FollowUp, FollowUpOutcome } from './follow-up.ts'

/** How the caller makes the units of a rebill. */
interface Wording {
  readonly decide: (outcome: FollowUpOutcome) => DecidedUnit
  readonly refuse: (why: Refused | Unknown, details?: Refusal['details']) => PendingUnit
}

/**
 * RB at the acquirer: a debit of the account that paid before, without the shopper. For the channel it is a new
 * payment: the channel may have been disabled since, the card may have expired, and an equal rebill is a duplicate.
 */
export async function rebill(context: Context, about: FollowUp, wording: Wording): Promise<PendingUnit> {
  const sent = about.request.rebill
  if (!sent) throw new InvariantError('rebill has no request of its own')
  const request = merchantInitiated(sent)
  const instrument = instrumentOfAccount(context, request, about.account)
  if (instrument.kind === 'unusable') return wording.refuse(instrument.why)
  return releaseAfter(instrument, authorise(context, request, about, instrument, wording))
}

async function authorise(
  context: Context,
  request: AccountRequest<AccountOnFile>,
  about: FollowUp,
  instrument: UsableInstrument,
  { decide, refuse }: Wording,
): Promise<PendingUnit> {
  const { id, go, channel, descriptor, stored } = about
  const why = paymentRefusal(acceptanceSubject(context, { request, channel, type: go.type }, instrument))
  if (why) return refuse(why)
  const agreed = await agreementOf(context, request, about, instrument)
  if (agreed.kind !== 'go') return refuse(agreed)
  const { brand, number, release } = instrument
  const { atMs } = request
  const { merchantTransactionId } = request.reference
  const payment = { id, channel, merchantTransactionId, number, go, atMs }
  const duplicate = (one: Refused, first: string) => refuse(one, { DuplicateOf: first })
  const toSend = authorisationRequest(request, go, {
    transactionId: id,
    brand,
    descriptor,
    testMode: known(isTestMode, stored.transactions[0]?.test_mode ?? 'INTERNAL'),
    account: acquirerAccount(instrument),
    partialApproval: channel.settings.partialApproval,
    initialTransactionId: agreed.initialTransactionId,
  })
  return sendAuthorisation(context, {
    request: toSend,
    async decide(response) {
      const account = await sealedAccount(context, instrument, { id, merchant: channel.merchant, atMs })
      const stands = statusOfResponse(response, response.code) !== 'NOK'
      const unique = stands && refusesDuplicates(channel.settings) ? uniqueOf(context, payment, duplicate) : undefined
      return decide({ response, account, agreed, unique })
    },
    release,
  })
}

/** The request as a charge by the merchant, where it has no standing instruction of its own. */
function merchantInitiated(request: AccountRequest<AccountOnFile>): AccountRequest<AccountOnFile> {
  const { instruction, parameters } = request
  const { type = 'UNSCHEDULED', mode = 'REPEATED', source = 'MIT' } = instruction
  // For the acquirer.
  const values = new Map<ParameterName, string>([
    ['standingInstruction.type', type],
    ['standingInstruction.mode', mode],
    ['standingInstruction.source', source],
    ...parameters.values,
  ])
  return { ...request, instruction: { ...instruction, type, mode, source }, parameters: { ...parameters, values } }
}

/**
 * The agreement of a rebill: that of the payment which it refers to, unless the request names another. Only a rebill
 * with `standingInstruction` is a charge under an agreement, bound by its terms and counted. An amount that is added to
 * an instalment, or was charged back, is not.
 */
async function agreementOf(
  context: Context,
  request: AccountRequest,
  { go, channel, stored }: FollowUp,
  instrument: UsableInstrument,
): Promise<OnFile | Refused> {
  const [root] = stored.transactions
  const { isSent, initialTransactionId: sent } = request.instruction
  const initialTransactionId = sent ?? (root && initialTransactionIdOf(resultDetailsOf(root)))
  const named = sent === undefined && root ? { row: root, version: stored.version } : undefined
  const agreed = isSent
    ? await onFile(context, request, { channel, instrument, go, initialTransactionId, named })
    : checkedInstruction(request, channel, instrument, initialTransactionId)
  if (!agreed) throw new InvariantError('rebill has no standing instruction')
  return agreed.kind === 'refused' ? agreed : { initialTransactionId, agreementId: undefined, ...agreed }
}
