import type { AcquirerRequest } from '@tollgate/connectors'
import { InvariantError, isCurrency, isTrue } from '@tollgate/contract'
import {
  decide,
  type Decision,
  dispatch,
  type Go,
  httpStatusOf,
  parseAmount,
  paymentLimits,
  paymentRefusal,
  type PaymentSubject,
  type PaymentType,
  type Refused,
  refusalHttpStatus,
  refusesDuplicates,
  type Registration,
  rejectedByRisk,
  resultAfterCheck,
  type TransactionStatus,
  type Unknown,
} from '@tollgate/domain'
import type { TransactionRow } from '@tollgate/storage'
import { isAtProvider, isRedirected } from '../accounts/redirected.ts'
import { askAcquirer } from '../acquirer/send-authorisation.ts'
import { type Said, statusOfSaid } from '../acquirer/acquirer-response.ts'
import type { Answer } from '../answer.ts'
import type { Channel } from '../directory/channel.ts'
import type { PendingUnit, UniquenessConstraint } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { Call } from '../request.ts'
import { sessionTimer } from '../records/timers.ts'
import { acceptanceSubject, type Reach } from './acceptance.ts'
import { faceOnly, sealedAccount } from '../records/account-record.ts'
import { accountView } from '../records/masked-account.ts'
import { acquirerAccount, acquirerQuestion } from '../acquirer/authorisation-request.ts'
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
import { storedFacts } from '../records/payment-record.ts'
import { renderTransaction } from '../records/transaction-view.ts'
import { proven } from '../three-d-secure/authentication-proof.ts'
import { type Authenticating, newVisit, pagesOf, type VisitKind } from '../records/session-record.ts'
import { challengeOf, wayToIssuer } from '../three-d-secure/start-authentication.ts'
import { openingType } from '../records/payment-type.ts'
import type { RiskSubject } from '../risk/risk-subject.ts'

/** What is settled about a payment before anyone has decided on it. */
export interface Opening {
  readonly call: Call
  readonly id: string
  readonly channel: Channel
  readonly type: PaymentType
  readonly descriptor: string
  readonly instrument: Instrument
  /** What it is paid with, if that was stored before. */
  readonly registration: Registration | undefined
  /** Of the shopper's visit to the page where he is to confirm it, if it comes to that. */
  readonly visitId: string | undefined
  readonly sentTo: VisitKind
  /** What the issuer of his card has said already, where it was asked at once. */
  readonly authenticating?: Authenticating | undefined
}

/** A payment that nothing stands against: it may be made. */
export interface Decided {
  readonly instrument: UsableInstrument
  readonly go: Go
  /** undefined where no risk rules hold. */
  readonly risk: RiskCheck | undefined
  /** undefined without a standing instruction. */
  readonly agreed: OnFile | undefined
}

/** How it came out, whoever said so. */
interface Result {
  readonly code: Answer['code']
  readonly status: TransactionStatus
  readonly httpStatus: number
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
  gateway: Context,
  call: Call,
  instrument: Instrument,
  registration?: Registration,
): Promise<PendingUnit> {
  const { values } = call.form
  const channel = dispatch(call.channels, instrument.brand, values.get('currency'))
  const id = gateway.ids.ordered(call.atMs)
  const descriptor = descriptorOf(call.form, id, channel)
  const override = instrument.brand && values.get(`overridePaymentType[${instrument.brand}]`)
  const type = openingType(override ?? values.get('paymentType'))
  if (type === undefined) throw new InvariantError('payment has no type', id)
  const visitId = isRedirected(instrument) ? gateway.ids.random() : undefined
  const sentTo: VisitKind = 'bank'
  const opening = { call, id, channel, type, descriptor, instrument, registration, visitId, sentTo }
  if (instrument.kind === 'unusable') return refuse(gateway, opening, instrument.why)
  let lent = false
  let paid: Opening = opening
  try {
    const subject = acceptanceSubject({ reach: gateway, channel, form: call.form, instrument, type })
    const decision = decideWith(subject, opening, instrument)
    if (decision.kind !== 'go') return refuse(gateway, opening, decision)
    const agreed = values.has('standingInstruction.mode')
      ? await onFile(gateway, call, {
          channel,
          instrument,
          go: decision,
          initialTransactionId: initialTransactionOf(call, registration),
        })
      : undefined
    if (agreed?.kind === 'refused') return refuse(gateway, opening, agreed)
    const risk = channel.risk && (await checkRisk(gateway, channel.risk, riskSubject(opening, instrument, decision)))
    if (risk?.kind === 'refused') return refuse(gateway, opening, risk)
    if (risk?.verdict === 'reject') return refuse(gateway, opening, rejectedByRisk, { risk })
    const decided = { instrument, go: decision, risk, agreed }
    if (subject.demandsThreeDSecure) {
      const way = await wayToIssuer(gateway, {
        call,
        channel,
        instrument,
        go: decision,
        agreementId: agreed?.agreementId,
      })
      if (way.kind === 'refused') return refuse(gateway, opening, way, { risk, details: way.details })
      if (way.kind === 'waits') {
        const { visitId: waitsFor, authenticating, said } = way
        const waiting: Opening = { ...opening, visitId: waitsFor, sentTo: 'authentication', authenticating }
        return await charged(gateway, waiting, decided, said)
      }
      if (way.proof) paid = { ...opening, call: { ...call, form: proven(call.form, way.proof) } }
    }
    lent = true
    return await askAcquirer(gateway, {
      question: questionOf(gateway, paid, decided),
      propose: (said) => charged(gateway, paid, decided, said),
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
  about: Pick<Opening, 'call' | 'channel' | 'type'>,
  instrument: UsableInstrument,
): Decision {
  const { call, channel, type } = about
  return decideWith(acceptanceSubject({ reach, channel, form: call.form, instrument, type }), about, instrument)
}

function decideWith(
  subject: PaymentSubject,
  { call, channel, type }: Pick<Opening, 'call' | 'channel' | 'type'>,
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

function riskSubject({ call, id, channel, type }: Opening, instrument: UsableInstrument, go: Go): RiskSubject {
  const { account: kind, number, face } = instrument
  const brand = call.form.values.get('paymentBrand') ?? instrument.brand
  return {
    call,
    id,
    merchant: channel.merchant,
    among: type === 'CD' ? 'payout' : 'payment',
    amountMinor: go.amountMinor,
    currency: go.currency,
    account: { kind, brand, number, face },
  }
}

/** What comes of the payment by what the acquirer said. */
export async function charged(gateway: Context, opening: Opening, decided: Decided, said: Said): Promise<PendingUnit> {
  const { call, id, channel, registration } = opening
  const { instrument, go, risk, agreed } = decided
  const { account: kind, face, number, brand } = instrument
  const result = resultOf(opening, decided, said)
  const account = await sealedAccount(gateway, number, {
    id,
    merchant: channel.merchant,
    kind,
    brand,
    face,
    atMs: call.atMs,
  })
  const registers = isTrue(call.form, 'createRegistration') && result.status === 'ACK'
  const isOnFile = registers || agreed !== undefined || registration !== undefined
  const kept = isOnFile
    ? await keepOnFile(gateway, { call, channel, instrument, registration, go, agreed, answer: said, registers })
    : undefined
  const row = transactionRow(opening, result, kept)
  const guard = { id, merchant: channel.merchant, version: 0 }
  const stands = result.status !== 'NOK'
  const unique = stands && refusesDuplicates(channel.settings) ? onlyOnce(gateway, opening, decided) : undefined
  const waiting = said.status === 'pending' ? waitFor(gateway, opening, row, { risk, unique }) : undefined
  const velocity = risk && entriesOf(risk, stands ? (result.amountMinor ?? 0) : 0)
  return {
    answer: answerOf(gateway, call, row, result),
    onAbandoned: risk?.forget,
    unique,
    guards: kept ? [guard, ...kept.guards] : [guard],
    rows: kept
      ? {
          payment_transaction: [row, ...kept.transactions],
          account: [account, ...kept.accounts],
          registration: kept.registrations,
          velocity,
          ...waiting,
        }
      : { payment_transaction: [row], account: [account], velocity, ...waiting },
  }
}

/** The visit that a pending payment waits for, and its timer. */
function waitFor(
  { ids }: Context,
  { call, visitId, sentTo, authenticating }: Opening,
  row: TransactionRow,
  { risk, unique }: { readonly risk: RiskCheck | undefined; readonly unique: UniquenessConstraint | undefined },
) {
  const visit = newVisit(row, call, {
    id: visitId ?? ids.random(),
    kind: sentTo,
    progress: { verdict: risk?.verdict, unique: unique?.keys, authenticating },
  })
  return { visit: [visit], job: [sessionTimer(visit)] }
}

export function questionOf(
  { address }: Context,
  { call, id, channel, descriptor, visitId }: Opening,
  { instrument, go, agreed }: Decided,
): AcquirerRequest {
  return acquirerQuestion(call, go, {
    redirected: visitId !== undefined || instrument.agreement,
    createAgreement: visitId !== undefined && isTrue(call.form, 'createRegistration'),
    pages: visitId === undefined ? undefined : pagesOf(address.url, visitId),
    transactionId: id,
    brand: instrument.brand,
    descriptor,
    account: acquirerAccount(instrument),
    initialTransactionId: agreed?.initialTransactionId,
    partialApproval: channel.settings.partialApproval,
  })
}

/** What the acquirer said, as far as the risk rules leave it at that. */
function resultOf(opening: Opening, decided: Decided, said: Said): Result {
  const { descriptor, visitId, authenticating } = opening
  const { instrument, go, risk } = decided
  const code = risk ? resultAfterCheck(risk.verdict, said.code) : said.code
  const status = statusOfSaid(said, code)
  return {
    code,
    status,
    httpStatus: httpStatusOf(code),
    amountMinor: status === 'ACK' ? said.amountMinor : go.amountMinor,
    facts: factsFor(opening, decided),
    outcome: {
      brandResult: instrument.brandResult,
      descriptor,
      result: resultView(code, said.avs, said.cvv),
      resultDetails: detailsWithRisk(detailsWithExpiry(said, go.facts), risk),
      pos: said.pos,
      redirect: said.redirect,
      challenge: challengeOf(visitId, authenticating),
      ...accountView(instrument.account, instrument.face, said.accountFacts),
    },
    risk,
  }
}

function factsFor({ visitId, sentTo }: Opening, { instrument, go, agreed }: Decided): Go['facts'] {
  const facts = agreed ? { ...go.facts, instruction: agreed.instruction } : go.facts
  if (instrument.agreement) return { ...facts, redirected: true }
  if (visitId === undefined) return facts
  return sentTo === 'bank' ? { ...facts, redirected: true, sessionId: visitId } : { ...facts, sessionId: visitId }
}

/** Of payments that are the same to the channel, the first to be committed is made; the others are refused. */
function onlyOnce(
  gateway: Context,
  opening: Opening,
  { instrument: { number }, go, risk }: Decided,
): UniquenessConstraint {
  const { call, id, channel } = opening
  const merchantTransactionId = call.form.values.get('merchantTransactionId')
  const payment = { id, channel, merchantTransactionId, number, go, atMs: call.atMs }
  const refuseAs = (why: Refused, first: string) =>
    refuse(gateway, opening, why, { risk, details: { DuplicateOf: first } })
  return uniqueOf(gateway, payment, refuseAs)
}

/** A rule of ours, the channel's settings or the account itself stood against it: the number is not kept. */
function refuse(
  gateway: Context,
  opening: Opening,
  why: Refused | Unknown,
  {
    risk,
    details,
  }: { readonly risk?: RiskCheck | undefined; readonly details?: Outcome['resultDetails'] | undefined } = {},
): PendingUnit {
  const { call, id, channel, instrument, descriptor } = opening
  if (why.kind === 'unknown') return { answer: refusalAnswer(gateway, call, why) }
  const { merchant } = channel
  const { account: kind, brand = null, face } = instrument
  const account = face && faceOnly({ id, merchant, kind, brand, face, atMs: call.atMs })
  const result: Result = {
    code: why.code,
    status: 'NOK',
    httpStatus: refusalHttpStatus.refused,
    amountMinor: amountAsked(call),
    facts: {},
    outcome: {
      descriptor,
      result: { ...resultView(why.code), parameterErrors: why.parameterErrors },
      resultDetails: detailsWithRisk({ ExtendedDescription: why.reason, ...details }, risk),
      ...(face && accountView(kind, face)),
    },
    risk,
  }
  const row = transactionRow(opening, result)
  return {
    answer: answerOf(gateway, call, row, result),
    onAbandoned: risk?.forget,
    guards: [{ id, merchant, version: 0 }],
    rows: { payment_transaction: [row], account: account && [account], velocity: risk && entriesOf(risk, 0) },
  }
}

/** null where the amount does not fit its currency, which is one of the reasons for a refusal. */
function amountAsked({ form: { values } }: Call): number | null {
  const currency = values.get('currency') ?? ''
  const amount = isCurrency(currency) ? parseAmount(values.get('amount') ?? '', currency) : undefined
  return amount?.kind === 'amount' ? amount.amountMinor : null
}

function transactionRow(opening: Opening, result: Result, kept?: KeptOnFile): TransactionRow {
  const { call, id, channel, type, instrument } = opening
  const { values } = call.form
  return {
    root_id: id,
    id,
    merchant: channel.merchant,
    channel: channel.id,
    referenced_id: null,
    type,
    status: result.status,
    amount_minor: result.amountMinor,
    currency: values.get('currency') ?? null,
    brand: instrument.brand ?? null,
    method: methodOf(instrument.brand, type),
    test_mode: values.get('testMode') ?? 'INTERNAL',
    account_id: instrument.face ? id : null,
    registration_id: kept?.registrationId ?? instrument.registrationId ?? null,
    network_transaction_id: kept?.networkTransactionId ?? null,
    initial_transaction_id: kept?.agreementId ?? null,
    merchant_transaction_id: values.get('merchantTransactionId') ?? null,
    result_code: result.code,
    facts: storedFacts(factsWithNotification(result.facts, call), call.form),
    echo: JSON.stringify(
      echoWithRisk(call, result.risk, echoOn(channel, call.form, instrument.face && instrument.account)),
    ),
    outcome: JSON.stringify(result.outcome),
    created_at_ms: call.atMs,
  }
}

function answerOf(gateway: Context, call: Call, row: TransactionRow, result: Result): Answer {
  return { status: result.httpStatus, code: result.code, body: renderTransaction(gateway.render, row, call) }
}
