import { outcomeOf, resultCodes } from '@tollgate/contract'
import type { AcquirerAccount, AcquirerAnswer, AcquirerRequest, LocalConnector } from '../port.ts'
import { forcedValue } from './forced-parameters.ts'
import { cardFacts } from './card-facts.ts'
import { type Outcome, outcomeOfRequest, presentsAccount } from './outcomes.ts'
import { referencesOf } from './references.ts'
import { terminalAnswer } from './terminal.ts'
import { checkAddress, checkCvv } from './verification.ts'

/** `resultDetails.clearingInstituteName` of every answer. */
export const clearingInstituteName = 'Tollgate Simulator'

/**
 * The acquirer of the test environment (contract: testMode INTERNAL). It runs in process, takes the time from the
 * request and uses no random numbers, so that the same request gets the same answer in every run.
 */
export function createSimulator(): LocalConnector {
  return { kind: 'local', name: 'simulator', send: answer }
}

/**
 * Whether a card network routes the payment to an issuer, which verifies address and cvv and assigns an approval code.
 */
const hasIssuer: Readonly<Record<AcquirerAccount['kind'], boolean>> = {
  card: true,
  tokenAccount: true,
  bankAccount: false,
  virtualAccount: false,
  giftCard: false,
}

function answer(request: AcquirerRequest): AcquirerAnswer {
  const outcome = outcomeOfRequest(request)
  const { code } = outcome
  const isApproved = outcomeOf(code) === 'success' || outcomeOf(code) === 'review'
  // Address and cvv are verified only if an issuer has answered.
  const hasIssuerAnswer =
    presentsAccount[request.operation] &&
    (request.account === undefined || hasIssuer[request.account.kind]) &&
    resultCodes[code].group !== 'communication'
  const references = referencesOf(request.transactionId, request.atMs)
  const advice = isApproved ? undefined : (forcedValue(request, 'forceMerchantAdviceCode') ?? outcome.advice)
  const avs = hasIssuerAnswer ? checkAddress(request, code) : undefined
  const cvv = hasIssuerAnswer ? checkCvv(request, code) : undefined
  const details: Record<string, string> = {
    ExtendedDescription: outcome.explanation,
    clearingInstituteName,
    ConnectorTxID1: references.acquirerReference,
    ConnectorTxID2: references.retrievalReference,
    ConnectorTxID3: references.traceNumber,
    AcquirerResponse: outcome.response,
  }
  if (advice !== undefined) details.MerchantAdviceCode = advice
  if (outcome.availableBalance !== undefined) details.AvailableBalance = outcome.availableBalance
  const approvalCode = request.offlineApproval?.approvalCode ?? references.approvalCode
  if (isApproved && hasIssuerAnswer) details.AuthCode = approvalCode
  // A declined payment also has this id, because a resubmission refers to it.
  if (hasIssuerAnswer) details.CardholderInitiatedTransactionID = references.networkTransactionId
  return {
    status: isApproved ? 'approved' : 'declined',
    code,
    amountMinor: isApproved ? approvedMinor(request, outcome) : 0,
    details,
    avs,
    cvv,
    accountFacts: hasIssuerAnswer && request.account?.kind === 'card' ? cardFacts(request) : undefined,
    pos: terminalAnswer(request, outcome, references, { isApproved, hasIssuerAnswer }),
  }
}

/** The approved amount; of a partial approval the balance of the gift card, or of other accounts half, rounded up. */
const approvedMinor = ({ amountMinor }: AcquirerRequest, { isPartial, partMinor }: Outcome): number =>
  isPartial ? (partMinor ?? Math.ceil(amountMinor / 2)) : amountMinor
