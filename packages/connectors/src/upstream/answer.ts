import { describeResult, isCurrency, maskCardNumbers, type ResultCode } from '@tollgate/contract'
import { parseAmount } from '@tollgate/domain'
import type { AcquirerAnswer, AcquirerRequest, Redirect, TerminalAnswer } from '../port.ts'
import type { UpstreamPayment } from './payment-json.ts'
import { isOfTestMode, isUncertain, resultOf } from './result-code.ts'

/** The request that an answer must fit. */
export type AnsweredRequest = Pick<AcquirerRequest, 'operation' | 'amountMinor' | 'atMs'> &
  Partial<Pick<AcquirerRequest, 'original' | 'partialApproval' | 'parameters' | 'awaitsResult'>> & {
    /** As in the request to the upstream. */
    readonly currency: string
    /** The `merchantTransactionId` of the request; undefined: the payment was read by its id. */
    readonly reference: string | undefined
    /** The expected id; undefined: the answer draws it. */
    readonly id?: string | undefined
  }

/** The part of the upstream account that decides about answers. */
export interface AnswerRules {
  readonly name: string
  readonly environment: 'test' | 'live'
}

/**
 * The meaning of an answer. answer: the result of the request. refused: a success that this gateway does not accept; it
 * is reversed, and `answer` is the result. mismatch: an answer to another request, or a malformed one; `field` names
 * its member. uncertain: the upstream does not know the result yet.
 */
export type AnswerMeaning =
  | { readonly kind: 'answer'; readonly answer: AcquirerAnswer }
  | { readonly kind: 'refused'; readonly reason: Refusal; readonly answer: AcquirerAnswer }
  | { readonly kind: 'mismatch'; readonly field: string }
  | { readonly kind: 'uncertain' }

/** testMode: no account was charged. part: the merchant accepts no approval of a part. */
export type Refusal = 'testMode' | 'part'

/** "Your configuration does not allow this transaction mode": a live payment was processed in a test mode. */
const PROCESSED_AS_TEST: ResultCode = '600.200.700'
/** "Partial approval without merchant opt-in: … decline 800.100.155" (domain, Timeout, reversal). */
const PART_DECLINED: ResultCode = '800.100.155'
const APPROVED_IN_PART: ResultCode = '000.000.001'

/** Reads an answer to a request. A success counts only if it is about this request, of this amount and in live real. */
export function readAnswer(rules: AnswerRules, request: AnsweredRequest, payment: UpstreamPayment): AnswerMeaning {
  if (isUncertain(payment.code)) return { kind: 'uncertain' }
  const field = differingField(request, payment)
  if (field !== undefined) return { kind: 'mismatch', field }
  switch (resultOf(payment.code).outcome) {
    case 'rejected':
      return { kind: 'answer', answer: answerOf(rules, request, payment, 'declined') }
    case 'pending':
      return readPending(rules, request, payment)
    case 'success':
    case 'review':
      return readSuccess(rules, request, payment)
    case 'chargeback':
      return { kind: 'mismatch', field: 'result.code' }
  }
}

/** The member by which an answer is not about the request. A rejection may omit members: it may have no payment. */
function differingField(request: AnsweredRequest, payment: UpstreamPayment): string | undefined {
  const isRequired = resultOf(payment.code).outcome !== 'rejected'
  const { id, merchantTransactionId, referencedId, paymentType, currency } = payment
  if (isRequired && id === undefined) return 'id'
  if (differs(request.id, id)) return 'id'
  if (differs(request.reference, merchantTransactionId)) return 'merchantTransactionId'
  if (differs(request.original?.references[0], referencedId)) return 'referencedId'
  if (isRequired && paymentType === undefined) return 'paymentType'
  if (differs(request.operation, paymentType)) return 'paymentType'
  if (isRequired && currency === undefined) return 'currency'
  if (isRequired && differs(request.currency, currency)) return 'currency'
  return undefined
}

/** Whether both are known and differ. */
const differs = (expected: string | undefined, received: string | undefined): boolean =>
  expected !== undefined && received !== undefined && expected !== received

/**
 * A pending payment needs a session of this gateway, which reads its result later. A follow-up or rebill has none: its
 * result is looked up until it is final.
 */
function readPending(rules: AnswerRules, request: AnsweredRequest, payment: UpstreamPayment): AnswerMeaning {
  if (!request.awaitsResult) return { kind: 'uncertain' }
  if (approvedMinorOf(request, payment) !== request.amountMinor) return { kind: 'mismatch', field: 'amount' }
  const redirect = payment.redirect && redirectIn(rules, payment.redirect)
  if (redirect === 'invalid') return { kind: 'mismatch', field: 'redirect' }
  return { kind: 'answer', answer: { ...answerOf(rules, request, payment, 'pending'), redirect } }
}

/** In live, a shopper is sent over TLS only. */
function redirectIn({ environment }: AnswerRules, redirect: Redirect | 'invalid'): Redirect | 'invalid' {
  if (redirect === 'invalid' || environment === 'test') return redirect
  const urls = [redirect.url, ...(redirect.preconditions ?? []).map(({ url }) => url)]
  return urls.every((url) => url.startsWith('https://')) ? redirect : 'invalid'
}

function readSuccess(rules: AnswerRules, request: AnsweredRequest, payment: UpstreamPayment): AnswerMeaning {
  // Before the amount: a payment of another amount is accepted for review, unless it was processed in a test mode.
  if (rules.environment === 'live' && isOfTestMode(payment.code)) {
    return { kind: 'refused', reason: 'testMode', answer: refusedAnswer(rules, request, payment, PROCESSED_AS_TEST) }
  }
  const approvedMinor = approvedMinorOf(request, payment)
  const isPart = payment.code === APPROVED_IN_PART
  const isExpected =
    approvedMinor !== undefined &&
    (isPart ? approvedMinor > 0 && approvedMinor < request.amountMinor : approvedMinor === request.amountMinor)
  if (!isExpected) return { kind: 'mismatch', field: 'amount' }
  if (isPart && !request.partialApproval) {
    return { kind: 'refused', reason: 'part', answer: refusedAnswer(rules, request, payment, PART_DECLINED) }
  }
  return { kind: 'answer', answer: { ...answerOf(rules, request, payment, 'approved'), amountMinor: approvedMinor } }
}

/** The amount of an answer in minor units; undefined if it is missing, malformed or in another currency. */
export function approvedMinorOf(
  { currency }: Pick<AnsweredRequest, 'currency'>,
  payment: Pick<UpstreamPayment, 'amount' | 'currency'>,
): number | undefined {
  if (!isCurrency(currency) || payment.currency !== currency || payment.amount === undefined) return undefined
  const amount = parseAmount(payment.amount, currency)
  return amount.kind === 'amount' ? amount.amountMinor : undefined
}

function answerOf(
  rules: AnswerRules,
  request: AnsweredRequest,
  payment: UpstreamPayment,
  status: AcquirerAnswer['status'],
): AcquirerAnswer {
  return {
    status,
    code: resultOf(payment.code).code,
    amountMinor: status === 'declined' ? 0 : request.amountMinor,
    details: detailsOf(rules, payment),
    avs: payment.avs,
    cvv: payment.cvv,
    accountFacts: payment.accountFacts,
    // Only a payment with createRegistration=true has a registration there, which is the shopper's agreement.
    agreementId: status === 'approved' ? payment.registrationId : undefined,
    pos: terminalAnswer(request, payment, status === 'approved'),
  }
}

/** The decline of a success that this gateway does not accept. */
export const refusedAnswer = (
  rules: AnswerRules,
  request: AnsweredRequest,
  payment: UpstreamPayment,
  code: ResultCode,
): AcquirerAnswer => {
  const answer = answerOf(rules, request, payment, 'declined')
  return { ...answer, code, details: { ...answer.details, ExtendedDescription: describeResult(code) } }
}

/** The network's id of the transaction: a reference, whose digits may look like a card number. */
const NETWORK_ID = 'CardholderInitiatedTransactionID'

/**
 * The details of the upstream's answer. The first reference is the upstream's id of the payment, to which follow-ups
 * refer; those of its acquirer follow, each with the next number. Card numbers in other details are masked.
 */
function detailsOf({ name }: AnswerRules, payment: UpstreamPayment): AcquirerAnswer['details'] {
  const { ConnectorTxID1, ConnectorTxID2, ConnectorTxID3, ...others } = payment.details
  const { code } = resultOf(payment.code)
  return {
    ExtendedDescription: maskCardNumbers(explanationOf(payment)),
    clearingInstituteName: name,
    ...masked(others),
    ...present({
      ConnectorTxID1: payment.id,
      ConnectorTxID2: ConnectorTxID1,
      ConnectorTxID3: ConnectorTxID2,
      ConnectorTxID4: ConnectorTxID3,
      UpstreamResultCode: code === payment.code ? undefined : payment.code,
    }),
  }
}

/** The explanation of an answer without one. Names of parameters are those of the merchant's request. */
function explanationOf({ code, description, wrongParameters }: UpstreamPayment): string {
  const text = description ?? describeResult(resultOf(code).code)
  return wrongParameters.length === 0 ? text : `${text}: ${wrongParameters.join(', ')}`
}

function masked(details: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(details).map(([name, value]) => [
    name,
    name === NETWORK_ID ? value : maskCardNumbers(value),
  ])
  return Object.fromEntries(entries)
}

function present(details: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const [name, value] of Object.entries(details)) if (value !== undefined) found[name] = value
  return found
}

/** The fields for a terminal; undefined if no terminal sent the request. */
function terminalAnswer(
  { parameters, atMs }: AnsweredRequest,
  { pos, details, id }: UpstreamPayment,
  isApproved: boolean,
): TerminalAnswer | undefined {
  if (!pos || !parameters?.has('pos.entryMode')) return undefined
  return {
    clearing: {
      authorizationAcquirerCode: pos['clearing.authorizationAcquirerCode'] ?? details['AcquirerResponse'] ?? '',
      authorizationIssuerCode: pos['clearing.authorizationIssuerCode'],
      identifier: pos['clearing.identifier'] ?? id ?? '',
    },
    merchantId: pos['merchantId'] ?? '',
    iccDataResponse: pos['iccDataResponse'],
    statusText: pos['statusText'] ?? (isApproved ? 'APPROVED' : 'NOTAUTHORISED'),
    timestamp: pos['timestamp'] ?? new Date(atMs).toISOString().slice(0, 19).replace('T', ' '),
  }
}
