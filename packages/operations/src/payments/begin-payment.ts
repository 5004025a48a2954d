import type { AcquirerRequest } from '@tollgate/connectors'
import { InvariantError, isCurrency, isTrue, type ResultCode } from '@tollgate/contract'
import {
  decide,
  type Decision,
  dispatch,
  type Go,
  parseAmount,
  paymentLimits,
  paymentRefusal,
  type PaymentSubject,
  type PaymentType,
  type Refused,
  refusesDuplicates,
  type Registration,
  rejectedByRisk,
  resultAfterCheck,
  type TransactionStatus,
  type Unknown,
} from '@tollgate/domain'
import type { TransactionRow } from '@tollgate/storage'
import { isAtProvider, isRedirected } from '../accounts/redirected.ts'
import { sendAuthorisation } from '../acquirer/send-authorisation.ts'
import { type AcquirerResponse, statusOfResponse } from '../acquirer/acquirer-response.ts'
import type { Channel } from '../directory/channel.ts'
import type { DecidedUnit, PendingUnit, UniquenessConstraint } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { Call } from '../request.ts'
import { sessionTimer } from '../records/timers.ts'
import { acceptanceSubject, type Reach } from './acceptance.ts'
import { accountWithoutNumber, sealedAccount } from '../records/account-record.ts'
import { accountView } from '../records/masked-account.ts'
import { acquirerAccount, authorisationRequest } from '../acquirer/authorisation-request.ts'
import { initialTransactionOf, type OnFile, onFile } from './card-on-file.ts'
import { commandOf } from './command.ts'
import { descriptorOf } from '../records/descriptor.ts'
import { uniqueOf } from './duplicates.ts'
import { echoOn } from '../records/echo.ts'
import type { Instrument, UsableInstrument } from '../accounts/instrument.ts'
import { type KeptOnFile, keepOnFile } from './keep-on-file.ts'
import { methodOf } from '../records/payment-method.ts'
import { factsWithNotification } from '../records/notification-target.ts'
import { detailsWithExpiry, type Outcome, resultView } from '../records/outcome.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { checkRisk, type RiskCheck } from '../risk/check-risk.ts'
import { detailsWithRisk, echoWithRisk, entriesOf } from '../risk/risk-view.ts'
import { rootTransaction } from '../records/new-transaction.ts'
import { answerAbout } from '../records/transaction-view.ts'
import { proven } from '../three-d-secure/authentication-proof.ts'
import { type Authenticating, newSession, pagesOf, type SessionKind } from '../records/session-record.ts'
import { challengeOf, startAuthentication } from '../three-d-secure/start-authentication.ts'
import { openingType } from '../records/payment-type.ts'
import type { RiskSubject } from '../risk/risk-subject.ts'

/** What is settled about a payment before anyone has decided on it. */
export interface PaymentContext {
  readonly call: Call
  readonly id: string
  readonly channel: Channel
  readonly type: PaymentType
  readonly descriptor: string
  readonly instrument: Instrument
  /** What it is paid with, if that was stored before. */
  readonly registration: Registration | undefined
  /** Id of the redirect session, if the payment needs one. */
  readonly sessionId: string | undefined
  readonly sentTo: SessionKind
  /** The issuer's result, if the authentication request was sent at once. */
  readonly authenticating?: Authenticating | undefined
}

/** A payment that nothing stands against: it may be made. */
export interface ApprovedPayment {
  readonly instrument: UsableInstrument
  readonly go: Go
  /** undefined where no risk rules hold. */
  readonly risk: RiskCheck | undefined
  /** undefined without a standing instruction. */
  readonly agreed: OnFile | undefined
}

/** How it came out, whoever said so. */
interface Result {
  readonly code: ResultCode
  readonly status: TransactionStatus
  /** What was approved; of a payment that was not, what was asked for. */
  readonly amountMinor: number | null
  readonly facts: Go['facts']
  readonly outcome: Outcome
  /** undefined where no risk rules hold, or it did not come to them. */
  readonly risk: RiskCheck | undefined
}

/**
 * PA, DB or CD: a new payment. Its form is valid, so it is kept whatever becomes of it, and can be read again by the id
 * of its answer; unless it names a registration that does not exist, for then there was nothing to pay with.
 */
export async function beginPayment(
  context: Context,
  call: Call,
  instrument: Instrument,
  registration?: Registration,
): Promise<PendingUnit> {
  const { values } = call.parameters
  const channel = dispatch(call.channels, instrument.brand, values.get('currency'))
  const id = context.ids.ordered(call.atMs)
  const descriptor = descriptorOf(call.parameters, id, channel)
  const override = instrument.brand && values.get(`overridePaymentType[${instrument.brand}]`)
  const type = openingType(override ?? values.get('paymentType'))
  if (type === undefined) throw new InvariantError('payment has no type', id)
  const sessionId = isRedirected(instrument) ? context.ids.random() : undefined
  const sentTo: SessionKind = 'bank'
  const paymentContext = { call, id, channel, type, descriptor, instrument, registration, sessionId, sentTo }
  if (instrument.kind === 'unusable') return refuse(context, paymentContext, instrument.why)
  let lent = false
  let paid: PaymentContext = paymentContext
  try {
    const subject = acceptanceSubject({ reach: context, channel, parameters: call.parameters, instrument, type })
    const decision = decideWith(subject, paymentContext, instrument)
    if (decision.kind !== 'go') return refuse(context, paymentContext, decision)
    const agreed = values.has('standingInstruction.mode')
      ? await onFile(context, call, {
          channel,
          instrument,
          go: decision,
          initialTransactionId: initialTransactionOf(call, registration),
        })
      : undefined
    if (agreed?.kind === 'refused') return refuse(context, paymentContext, agreed)
    const risk =
      channel.risk && (await checkRisk(context, channel.risk, riskSubject(paymentContext, instrument, decision)))
    if (risk?.kind === 'refused') return refuse(context, paymentContext, risk)
    if (risk?.verdict === 'reject') return refuse(context, paymentContext, rejectedByRisk, { risk })
    const approved = { instrument, go: decision, risk, agreed }
    if (subject.demandsThreeDSecure) {
      const way = await startAuthentication(context, {
        call,
        channel,
        instrument,
        go: decision,
        agreementId: agreed?.agreementId,
      })
      if (way.kind === 'refused') return refuse(context, paymentContext, way, { risk, details: way.details })
      if (way.kind === 'waits') {
        const { sessionId: waitsFor, authenticating, response } = way
        const waiting: PaymentContext = {
          ...paymentContext,
          sessionId: waitsFor,
          sentTo: 'authentication',
          authenticating,
        }
        return await charged(context, waiting, approved, response)
      }
      if (way.proof) paid = { ...paymentContext, call: { ...call, parameters: proven(call.parameters, way.proof) } }
    }
    lent = true
    return await sendAuthorisation(context, {
      question: authorisationRequestOf(context, paid, approved),
      propose: (response) => charged(context, paid, approved, response),
      // Only once its number is sealed.
      release: instrument.release,
    })
  } finally {
    if (!lent) instrument.release()
  }
}

/** What our own rules and the channel's settings say to a payment, seen by itself. */
export function decideOn(
  reach: Reach,
  about: Pick<PaymentContext, 'call' | 'channel' | 'type'>,
  instrument: UsableInstrument,
): Decision {
  const { call, channel, type } = about
  return decideWith(
    acceptanceSubject({ reach, channel, parameters: call.parameters, instrument, type }),
    about,
    instrument,
  )
}

function decideWith(
  subject: PaymentSubject,
  { call, channel, type }: Pick<PaymentContext, 'call' | 'channel' | 'type'>,
  instrument: UsableInstrument,
): Decision {
  const refusal = paymentRefusal(subject)
  if (refusal) return refusal
  const command = commandOf(call, type, channel, {
    brand: instrument.brand,
    redirected: isAtProvider(instrument),
    method: methodOf(instrument.brand, type),
  })
  return 'kind' in command ? command : decide(undefined, undefined, command, paymentLimits)
}

function riskSubject({ call, id, channel, type }: PaymentContext, instrument: UsableInstrument, go: Go): RiskSubject {
  const { account: kind, number, masked } = instrument
  const brand = call.parameters.values.get('paymentBrand') ?? instrument.brand
  return {
    call,
    id,
    merchant: channel.merchant,
    among: type === 'CD' ? 'payout' : 'payment',
    amountMinor: go.amountMinor,
    currency: go.currency,
    account: { kind, brand, number, masked },
  }
}

/** What comes of the payment by what the acquirer said. */
export async function charged(
  context: Context,
  paymentContext: PaymentContext,
  approved: ApprovedPayment,
  response: AcquirerResponse,
): Promise<DecidedUnit> {
  const { call, id, channel, registration } = paymentContext
  const { instrument, go, risk, agreed } = approved
  const { account: kind, masked, number, brand } = instrument
  const result = resultOf(paymentContext, approved, response)
  const account = await sealedAccount(context, number, {
    id,
    merchant: channel.merchant,
    kind,
    brand,
    masked,
    atMs: call.atMs,
  })
  const registers = isTrue(call.parameters, 'createRegistration') && result.status === 'ACK'
  const isOnFile = registers || agreed !== undefined || registration !== undefined
  const kept = isOnFile
    ? await keepOnFile(context, { call, channel, instrument, registration, go, agreed, answer: response, registers })
    : undefined
  const row = transactionRow(paymentContext, result, kept)
  const stands = result.status !== 'NOK'
  const unique = stands && refusesDuplicates(channel.settings) ? onlyOnce(context, paymentContext, approved) : undefined
  const session = response.status === 'pending' ? waitFor(context, paymentContext, row, { risk, unique }) : undefined
  return {
    answer: answerAbout(context, call, row),
    onAbandoned: risk?.forget,
    unique,
    transaction: { row },
    account,
    agreement: agreed?.agreement,
    registered: kept?.registered,
    expectedVersions: kept?.expectedVersions,
    rows: {
      registration: kept?.rows?.registration,
      velocity: risk && entriesOf(risk, stands ? (result.amountMinor ?? 0) : 0),
      visit: session && [session],
      job: session && [sessionTimer(session)],
    },
  }
}

/** The session that a pending payment waits for. */
function waitFor(
  { ids }: Context,
  { call, sessionId, sentTo, authenticating }: PaymentContext,
  row: TransactionRow,
  { risk, unique }: { readonly risk: RiskCheck | undefined; readonly unique: UniquenessConstraint | undefined },
) {
  return newSession(row, call, {
    id: sessionId ?? ids.random(),
    kind: sentTo,
    progress: { verdict: risk?.verdict, unique: unique?.keys, authenticating },
  })
}

export function authorisationRequestOf(
  { pages }: Context,
  { call, id, channel, descriptor, sessionId }: PaymentContext,
  { instrument, go, agreed }: ApprovedPayment,
): AcquirerRequest {
  return authorisationRequest(call, go, {
    redirected: sessionId !== undefined || instrument.agreement,
    createAgreement: sessionId !== undefined && isTrue(call.parameters, 'createRegistration'),
    pages: sessionId === undefined ? undefined : pagesOf(pages.url, sessionId),
    transactionId: id,
    brand: instrument.brand,
    descriptor,
    account: acquirerAccount(instrument),
    initialTransactionId: agreed?.initialTransactionId,
    partialApproval: channel.settings.partialApproval,
  })
}

/** What the acquirer said, as far as the risk rules leave it at that. */
function resultOf(paymentContext: PaymentContext, approved: ApprovedPayment, response: AcquirerResponse): Result {
  const { descriptor, sessionId, authenticating } = paymentContext
  const { instrument, go, risk } = approved
  const code = risk ? resultAfterCheck(risk.verdict, response.code) : response.code
  const status = statusOfResponse(response, code)
  return {
    code,
    status,
    amountMinor: status === 'ACK' ? response.amountMinor : go.amountMinor,
    facts: factsFor(paymentContext, approved),
    outcome: {
      brandResult: instrument.brandResult,
      descriptor,
      result: resultView(code, response.avs, response.cvv),
      resultDetails: detailsWithRisk(detailsWithExpiry(response, go.facts), risk),
      pos: response.pos,
      redirect: response.redirect,
      challenge: challengeOf(sessionId, authenticating),
      ...accountView(instrument.account, instrument.masked, response.accountFacts),
    },
    risk,
  }
}

function factsFor({ sessionId, sentTo }: PaymentContext, { instrument, go, agreed }: ApprovedPayment): Go['facts'] {
  const facts = agreed ? { ...go.facts, instruction: agreed.instruction } : go.facts
  if (instrument.agreement) return { ...facts, redirected: true }
  if (sessionId === undefined) return facts
  return sentTo === 'bank' ? { ...facts, redirected: true, sessionId: sessionId } : { ...facts, sessionId: sessionId }
}

/** Of payments that are the same to the channel, the first to be committed is made; the others are refused. */
function onlyOnce(
  context: Context,
  paymentContext: PaymentContext,
  { instrument: { number }, go, risk }: ApprovedPayment,
): UniquenessConstraint {
  const { call, id, channel } = paymentContext
  const merchantTransactionId = call.parameters.values.get('merchantTransactionId')
  const payment = { id, channel, merchantTransactionId, number, go, atMs: call.atMs }
  const refuseAs = (why: Refused, first: string) =>
    refuse(context, paymentContext, why, { risk, details: { DuplicateOf: first } })
  return uniqueOf(context, payment, refuseAs)
}

/** A rule of ours, the channel's settings or the account itself stood against it: the number is not kept. */
function refuse(
  context: Context,
  paymentContext: PaymentContext,
  why: Refused | Unknown,
  {
    risk,
    details,
  }: { readonly risk?: RiskCheck | undefined; readonly details?: Outcome['resultDetails'] | undefined } = {},
): PendingUnit {
  const { call, id, channel, instrument, descriptor } = paymentContext
  if (why.kind === 'unknown') return { answer: refusalAnswer(context, call, why) }
  const { account: kind, brand = null, masked } = instrument
  const result: Result = {
    code: why.code,
    status: 'NOK',
    amountMinor: amountAsked(call),
    facts: {},
    outcome: {
      descriptor,
      result: { ...resultView(why.code), parameterErrors: why.parameterErrors },
      resultDetails: detailsWithRisk({ ExtendedDescription: why.reason, ...details }, risk),
      ...(masked && accountView(kind, masked)),
    },
    risk,
  }
  const row = transactionRow(paymentContext, result)
  return {
    answer: answerAbout(context, call, row),
    onAbandoned: risk?.forget,
    transaction: { row },
    account: masked && accountWithoutNumber({ id, merchant: channel.merchant, kind, brand, masked, atMs: call.atMs }),
    rows: { velocity: risk && entriesOf(risk, 0) },
  }
}

/** null where the amount does not fit its currency, which is one of the reasons for a refusal. */
function amountAsked({ parameters: { values } }: Call): number | null {
  const currency = values.get('currency') ?? ''
  const amount = isCurrency(currency) ? parseAmount(values.get('amount') ?? '', currency) : undefined
  return amount?.kind === 'amount' ? amount.amountMinor : null
}

function transactionRow(paymentContext: PaymentContext, result: Result, kept?: KeptOnFile): TransactionRow {
  const { call, id, channel, type, instrument } = paymentContext
  const { parameters } = call
  return rootTransaction(call, {
    id,
    channel,
    type,
    status: result.status,
    code: result.code,
    amountMinor: result.amountMinor,
    currency: parameters.values.get('currency'),
    brand: instrument.brand,
    method: methodOf(instrument.brand, type),
    hasAccount: instrument.masked !== undefined,
    registrationId: kept?.registered?.registration.id ?? instrument.registrationId,
    networkTransactionId: kept?.networkTransactionId,
    agreementId: kept?.agreementId,
    facts: factsWithNotification(result.facts, call),
    echo: echoWithRisk(call, result.risk, echoOn(channel, parameters, instrument.masked && instrument.account)),
    outcome: result.outcome,
  })
}
