import { InvariantError, type ParameterName } from '@tollgate/contract'
import { isTestMode, paymentRefusal, type Refused, refusesDuplicates, type Unknown } from '@tollgate/domain'
import { attemptFactsOf } from '../acquirer/card-retries.ts'
import { connectorOfRow, routingTo } from '../acquirer/connector-of.ts'
import { sendAuthorisation } from '../acquirer/send-authorisation.ts'
import { statusOfResponse } from '../acquirer/acquirer-response.ts'
import type { Refusal } from '../answer.ts'
import type { DecidedUnit, PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { AccountOnFile } from '../parameters/account-on-file.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import { narrow } from '../narrow.ts'
import { acceptanceSubject } from './acceptance.ts'
import { sealedAccount } from '../records/account-record.ts'
import { authorisationRequest, acquirerAccount } from '../acquirer/authorisation-request.ts'
import { acceptInstruction, type AcceptedInstruction, checkSentInstruction } from './card-on-file.ts'
import { decideAndRelease, type UsableInstrument } from '../accounts/instrument.ts'
import { uniquenessConstraintOf } from './duplicates.ts'
import { instrumentOfAccount } from '../accounts/stored-instrument.ts'
import { initialTransactionIdOf, resultDetailsOf } from '../records/payment-record.ts'
import type { FollowUp, FollowUpOutcome } from './follow-up.ts'

/** The functions that make the unit of a rebill. */
interface RebillUnits {
  readonly decide: (outcome: FollowUpOutcome) => DecidedUnit
  readonly refuse: (refusal: Refused | Unknown, details?: Refusal['details']) => PendingUnit
}

/**
 * RB: a further debit of the payment's account, without the shopper. The rules of a new payment apply, except those
 * of risk and 3-D Secure: the channel may have been disabled, the card may have expired, and an equal rebill is a
 * duplicate.
 */
export async function rebill(context: Context, followUp: FollowUp, units: RebillUnits): Promise<PendingUnit> {
  const sentRequest = followUp.request.rebill
  if (!sentRequest) throw new InvariantError('follow-up of type RB has no rebill request', followUp.id)
  const request = asMerchantInitiated(sentRequest)
  const instrument = instrumentOfAccount(context, request, followUp.account)
  if (instrument.kind === 'unusable') return units.refuse(instrument.refusal)
  return decideAndRelease(instrument, () => authorise(context, request, followUp, instrument, units))
}

async function authorise(
  context: Context,
  request: AccountRequest<AccountOnFile>,
  followUp: FollowUp,
  instrument: UsableInstrument,
  { decide, refuse }: RebillUnits,
): Promise<PendingUnit> {
  const { id, go, channel, descriptor, original } = followUp
  const subject = acceptanceSubject(context, { request, channel, type: go.type }, instrument, true)
  const refusal = paymentRefusal(subject)
  if (refusal) return refuse(refusal)
  const acceptedInstruction = await acceptedInstructionOf(context, request, followUp, instrument)
  if (acceptedInstruction.kind !== 'go') return refuse(acceptedInstruction)
  const { brand, number, release } = instrument
  const { atMs } = request
  const { merchantTransactionId } = request.reference
  const payment = { id, channel, merchantTransactionId, number, go, atMs }
  const refuseDuplicate = (duplicate: Refused, firstId: string) => refuse(duplicate, { DuplicateOf: firstId })
  const acquirerRequest = authorisationRequest(request, go, {
    transactionId: id,
    brand,
    descriptor,
    testMode: narrow(isTestMode, original.test_mode),
    account: acquirerAccount(instrument),
    partialApproval: channel.settings.partialApproval,
    initialTransactionId: acceptedInstruction.initialTransactionId,
  })
  return sendAuthorisation(context, {
    request: acquirerRequest,
    routing: routingTo(await connectorOfRow(context, original)),
    async decide(response) {
      const account = await sealedAccount(context, instrument, { id, merchant: channel.merchant, atMs })
      const isValid = statusOfResponse(response, response.code) !== 'NOK'
      const mustBeUnique = isValid && refusesDuplicates(channel.settings)
      const unique = mustBeUnique ? uniquenessConstraintOf(context, payment, refuseDuplicate) : undefined
      return decide({ response, account, acceptedInstruction, unique })
    },
    release,
    attempt: attemptFactsOf(request, channel),
  })
}

/** Adds the missing parts of the standing instruction of a merchant-initiated charge to the request. */
function asMerchantInitiated(request: AccountRequest<AccountOnFile>): AccountRequest<AccountOnFile> {
  const { instruction, parameters } = request
  const { type = 'UNSCHEDULED', mode = 'REPEATED', source = 'MIT' } = instruction
  // The acquirer receives the parameters, so the missing parts are added there, too.
  const values = new Map<ParameterName, string>([
    ['standingInstruction.type', type],
    ['standingInstruction.mode', mode],
    ['standingInstruction.source', source],
    ...parameters.values,
  ])
  return { ...request, instruction: { ...instruction, type, mode, source }, parameters: { ...parameters, values } }
}

/**
 * Checks the standing instruction of a rebill under the agreement of the referenced payment, or under the agreement of
 * the sent network transaction id. Only a rebill with `standingInstruction` is a charge under the agreement, bound by
 * its terms and counted; other rebills, such as an addition to an instalment, are not.
 */
async function acceptedInstructionOf(
  context: Context,
  request: AccountRequest,
  { go, channel, stored }: FollowUp,
  instrument: UsableInstrument,
): Promise<AcceptedInstruction | Refused> {
  const [root] = stored.transactions
  const { isSent, initialTransactionId: sent } = request.instruction
  const initialTransactionId = sent ?? (root && initialTransactionIdOf(resultDetailsOf(root)))
  const referenced = sent === undefined && root ? { row: root, version: stored.version } : undefined
  const checked = isSent
    ? await acceptInstruction(context, request, { channel, instrument, go, initialTransactionId, referenced })
    : checkSentInstruction(request, channel, instrument, initialTransactionId)
  if (!checked) throw new InvariantError('rebill has no standing instruction')
  return checked.kind === 'refused' ? checked : { initialTransactionId, agreementId: undefined, ...checked }
}
