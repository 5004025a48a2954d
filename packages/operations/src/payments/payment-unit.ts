import type { ResultCode } from '@tollgate/contract'
import {
  type Refused,
  refusesDuplicates,
  resultAfterCheck,
  type TransactionStatus,
  type Unknown,
} from '@tollgate/domain'
import type { AccountRow, TransactionRow } from '@tollgate/storage'
import { type AcquirerResponse, statusOfResponse } from '../acquirer/acquirer-response.ts'
import { isProcessedByProvider } from '../accounts/redirected.ts'
import type { Context } from '../context.ts'
import type { DecidedUnit, PendingUnit, UniquenessConstraint } from '../pending-unit.ts'
import { accountWithoutNumber, sealedAccount } from '../records/account-record.ts'
import { echoFor } from '../records/echo.ts'
import { accountView } from '../records/masked-account.ts'
import { rootTransaction } from '../records/new-transaction.ts'
import { factsWithNotificationTarget } from '../records/notification-target.ts'
import { detailsWithExpiry, type Outcome, resultView } from '../records/outcome.ts'
import { methodOf } from '../records/payment-method.ts'
import { newSession } from '../records/session-record.ts'
import { sessionTimer } from '../records/timers.ts'
import { answerAbout } from '../records/transaction-view.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import type { RiskCheck } from '../risk/check-risk.ts'
import { detailsWithRisk, echoWithRisk, entriesOf } from '../risk/risk-view.ts'
import { appChallengeOf } from '../three-d-secure/start-authentication.ts'
import { offlineSaleOf, terminalReferenceOf } from './acceptance.ts'
import { uniquenessConstraintOf } from './duplicates.ts'
import { type OnFileChanges, onFileChangesOf } from './on-file-changes.ts'
import type { ApprovedPayment, PaymentContext } from './payment-context.ts'

/** The result of a payment for its transaction row. */
interface Result {
  readonly code: ResultCode
  readonly status: TransactionStatus
  /** The approved amount; unless approved, the requested amount; null if it is missing or does not fit its currency. */
  readonly amountMinor: number | null
  readonly facts: object
  readonly outcome: Outcome
  /** undefined if the risk rules did not assess the payment, or assessed it before a redirect. */
  readonly risk: RiskCheck | undefined
}

/** The row of a payment's account with its number encrypted. */
export const accountOf = (context: Context, payment: PaymentContext, approved: ApprovedPayment): Promise<AccountRow> =>
  sealedAccount(context, approved.instrument, {
    id: payment.id,
    merchant: payment.channel.merchant,
    atMs: payment.request.atMs,
  })

/**
 * The unit of a payment with the acquirer's response.
 *
 * @param sealed the payment's account. It is encrypted once, although several responses may be decided
 */
export async function answeredPayment(
  context: Context,
  payment: PaymentContext,
  approved: ApprovedPayment,
  response: AcquirerResponse,
  sealed: Promise<AccountRow> = accountOf(context, payment, approved),
): Promise<DecidedUnit> {
  const { request, channel, registration } = payment
  const { instrument, go, risk, acceptedInstruction } = approved
  const result = resultOf(payment, approved, response)
  const account = await sealed
  const createsRegistration = request.createRegistration && result.status === 'ACK'
  const isOnFile = createsRegistration || acceptedInstruction !== undefined || registration !== undefined
  const changes = isOnFile
    ? await onFileChangesOf(context, {
        request,
        channel,
        instrument,
        registration,
        go,
        acceptedInstruction,
        response,
        createsRegistration,
      })
    : undefined
  const row = transactionRow(payment, result, changes)
  const isValid = result.status !== 'NOK'
  const mustBeUnique = isValid && (refusesDuplicates(channel.settings) || offlineSaleOf(request) !== undefined)
  const unique = mustBeUnique ? uniquenessOf(context, payment, approved) : undefined
  const session = response.status === 'pending' ? sessionOf(context, payment, row, { risk, unique }) : undefined
  return {
    answer: answerAbout(context, request, row),
    onAbandoned: risk?.removeEntries,
    unique,
    transaction: { row },
    account,
    agreement: acceptedInstruction?.agreement,
    registered: changes?.registered,
    expectedVersions: changes?.expectedVersions,
    rows: {
      registration: changes?.rows?.registration,
      velocity: risk && entriesOf(risk, isValid ? (result.amountMinor ?? 0) : 0),
      visit: session && [session],
      job: session && [sessionTimer(session)],
    },
  }
}

/** The result of the acquirer's response, unless the risk rules override its code. */
function resultOf(payment: PaymentContext, approved: ApprovedPayment, response: AcquirerResponse): Result {
  const { descriptor, sessionId, authenticationState } = payment
  const { instrument, go, risk } = approved
  const code = risk ? resultAfterCheck(risk.verdict, response.code) : response.code
  const status = statusOfResponse(response, code)
  return {
    code,
    status,
    amountMinor: status === 'ACK' ? response.amountMinor : go.amountMinor,
    facts: factsFor(payment, approved, response),
    outcome: {
      brandResult: instrument.brandResult,
      descriptor,
      result: resultView(code, response.avs, response.cvv),
      resultDetails: detailsWithRisk(detailsWithExpiry(response, go.facts), risk),
      pos: response.pos,
      redirect: response.redirect,
      challenge: appChallengeOf(sessionId, authenticationState),
      ...accountView(instrument.account, instrument.masked, response.accountFacts),
    },
    risk,
  }
}

function factsFor(
  { sessionId }: PaymentContext,
  { instrument, go, acceptedInstruction }: ApprovedPayment,
  { status, routed }: AcquirerResponse,
): object {
  const facts = acceptedInstruction ? { ...go.facts, instruction: acceptedInstruction.instruction } : go.facts
  const redirected = isProcessedByProvider(instrument)
  // Most payments go to the simulator, without a redirect: their facts are not copied.
  if (!redirected && !routed && status !== 'pending') return facts
  return {
    redirected: redirected || undefined,
    sessionId: redirected || status === 'pending' ? sessionId : undefined,
    routed,
    ...facts,
  }
}

/** The session of a pending payment. */
function sessionOf(
  { ids }: Context,
  { request, sessionId, sessionKind, authenticationState }: PaymentContext,
  row: TransactionRow,
  { risk, unique }: { readonly risk: RiskCheck | undefined; readonly unique: UniquenessConstraint | undefined },
) {
  return newSession(row, request, {
    id: sessionId ?? ids.random(),
    kind: sessionKind,
    progress: { verdict: risk?.verdict, unique: unique?.keys, authenticating: authenticationState },
  })
}

/**
 * The uniqueness constraint of a payment: of payments that the channel's policy treats as duplicates, the payment that
 * is committed first is accepted, and all later payments are refused.
 */
function uniquenessOf(
  context: Context,
  payment: PaymentContext,
  { instrument: { number }, go, risk }: ApprovedPayment,
): UniquenessConstraint {
  const { request, id, channel } = payment
  const { merchantTransactionId } = request.reference
  const terminalReference = terminalReferenceOf(request)
  const properties = { id, channel, merchantTransactionId, number, go, terminalReference, atMs: request.atMs }
  return uniquenessConstraintOf(context, properties, (refusal, firstId) =>
    refusedPayment(context, payment, refusal, { risk, details: { DuplicateOf: firstId } }),
  )
}

/** The unit of a payment that a rule refuses or whose account is unusable. The account number is not stored. */
export function refusedPayment(
  context: Context,
  payment: PaymentContext,
  refusal: Refused | Unknown,
  {
    risk,
    details,
  }: { readonly risk?: RiskCheck | undefined; readonly details?: Outcome['resultDetails'] | undefined } = {},
): PendingUnit {
  const { request, id, channel, instrument, descriptor } = payment
  if (refusal.kind === 'unknown') return { answer: refusalAnswer(context, request, refusal) }
  const { account: kind, masked } = instrument
  const { amount } = request.money
  const row = transactionRow(payment, {
    code: refusal.code,
    status: 'NOK',
    amountMinor: amount?.kind === 'amount' ? amount.amountMinor : null,
    facts: {},
    outcome: {
      descriptor,
      result: { ...resultView(refusal.code), parameterErrors: refusal.parameterErrors },
      resultDetails: detailsWithRisk({ ExtendedDescription: refusal.reason, ...details }, risk),
      ...(masked && accountView(kind, masked)),
    },
    risk,
  })
  return {
    answer: answerAbout(context, request, row),
    onAbandoned: risk?.removeEntries,
    transaction: { row },
    account: accountWithoutNumber(instrument, { id, merchant: channel.merchant, atMs: request.atMs }),
    rows: { velocity: risk && entriesOf(risk, 0) },
  }
}

function transactionRow(payment: PaymentContext, result: Result, changes?: OnFileChanges): TransactionRow {
  const { request, id, channel, type, instrument } = payment
  return rootTransaction(request, {
    id,
    channel,
    type,
    status: result.status,
    code: result.code,
    amountMinor: result.amountMinor,
    currency: request.money.currency,
    brand: instrument.brand,
    method: methodOf(instrument.brand, type),
    hasAccount: instrument.masked !== undefined,
    registrationId: changes?.registered?.registration.id ?? instrument.registrationId,
    networkTransactionId: changes?.networkTransactionId,
    agreementId: changes?.agreementId,
    facts: factsWithNotificationTarget(result.facts, request),
    echo: echoWithRisk(
      request,
      result.risk,
      echoFor(channel, request.parameters, instrument.masked && instrument.account),
    ),
    outcome: result.outcome,
  })
}
