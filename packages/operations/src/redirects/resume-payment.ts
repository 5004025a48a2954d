import { InvariantError } from '@tollgate/contract'
import {
  effectOfAuthentication,
  isDecline,
  isPaymentType,
  type Refused,
  type Registration,
  resultAfterCheck,
  type Unknown,
} from '@tollgate/domain'
import type { TransactionRow, SessionRow } from '@tollgate/storage'
import { attemptFactsOf } from '../acquirer/card-retries.ts'
import { routingOf } from '../acquirer/connector-of.ts'
import { sendAuthorisation } from '../acquirer/send-authorisation.ts'
import type { AcquirerResponse } from '../acquirer/acquirer-response.ts'
import type { Answer, RequestMark } from '../answer.ts'
import type { Channel } from '../directory/channel.ts'
import { fingerprintText } from '../fingerprint.ts'
import type { DecidedUnit, PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import { narrow } from '../narrow.ts'
import { acceptanceSubject } from '../payments/acceptance.ts'
import { acceptedInstructionOf, authorisationRequestOf, decidePayment, withSession } from '../payments/begin-payment.ts'
import type { ApprovedPayment, PaymentContext } from '../payments/payment-context.ts'
import { answeredPayment } from '../payments/payment-unit.ts'
import { instrumentOfAccount } from '../accounts/stored-instrument.ts'
import { decideAndRelease, type UsableInstrument } from '../accounts/instrument.ts'
import { isStatus } from '../records/payment-record.ts'
import { readSessionPayment } from '../records/read-session.ts'
import { readEcho } from '../records/stored-json.ts'
import { currentRegistration } from '../records/registration-record.ts'
import { requestOfSession } from './session-request.ts'
import { decideCompletion, finishPayment, sessionKeyReleases } from './finish-payment.ts'
import { type AuthenticationState, progressOf } from '../records/session-record.ts'
import { answerAbout } from '../records/transaction-view.ts'

/**
 * Resumes a payment after its authentication: the payment is authorised, with the proof if there is one, or rejected.
 * Repeated calls send one authorisation request.
 */
export async function resumePayment(context: Context, session: SessionRow): Promise<Answer> {
  const { ids, clock, commands } = context
  const mark = { requestId: ids.ordered(), atMs: clock.now(), ndc: session.checkout_id ?? undefined }
  const { row, channel } = await readSessionPayment(context, session)
  const state = progressOf(session).authenticating
  if (state?.outcome === undefined || narrow(isStatus, row.status) !== 'PENDING') {
    return answerAbout(context, mark, row)
  }
  const attempt = await beginAttempt(context, session, row, channel)
  if (attempt?.kind === 'refused') return finishPayment(context, session, declineFor(tooManyDeclines))
  const effect = effectOfAuthentication(state.outcome, channel.settings)
  const proof = effect.kind === 'proven' ? state : undefined
  const decide = () => authorise(context, { mark, session, proof })
  try {
    const answer =
      effect.kind === 'refused'
        ? await finishPayment(context, session, declineFor(effect, state))
        : await commands.execute(mark, undefined, decide, { mutexKey: session.transaction_id })
    attempt?.end(isDecline(answer.code))
    return answer
  } finally {
    attempt?.end(false)
  }
}

const tooManyDeclines = { code: '800.120.100', reason: 'too many attempts with this card were declined' } as const

/**
 * Begins a payment attempt after an authentication. If it is declined, the attempt counts against the card, like the
 * submission of a checkout. undefined for a payment without a checkout, whose attempts are not limited.
 */
async function beginAttempt({ storage, rates }: Context, session: SessionRow, row: TransactionRow, channel: Channel) {
  if (session.checkout_id === null) return undefined
  const account = await storage.account(row.id)
  const { fingerprint: code, fingerprint_key_id: keyId } = account ?? { fingerprint: null, fingerprint_key_id: null }
  const card = code && keyId ? fingerprintText({ keyId, code }) : undefined
  return rates.declines.begin({ channel: channel.id, card, address: undefined }, channel.settings.declines)
}

interface Resumption {
  readonly mark: RequestMark
  readonly session: SessionRow
  /** undefined: the payment is authorised without a proof. */
  readonly proof: AuthenticationState | undefined
}

async function authorise(context: Context, { mark, session, proof }: Resumption): Promise<PendingUnit> {
  const { row, channel } = await readSessionPayment(context, session)
  if (narrow(isStatus, row.status) !== 'PENDING') return { answer: answerAbout(context, mark, row) }
  const request = requestOfSession(mark, session, row, channel, proof)
  const instrument = instrumentOfAccount(context, request, await context.storage.account(row.id))
  // Since the redirect, the account may have been erased or the channel's settings changed.
  if (instrument.kind === 'unusable') return decideCompletion(context, mark, session, declineFor(instrument.refusal))
  const stored = { mark, session, row, channel, request }
  return decideAndRelease(instrument, () => authoriseWith(context, stored, instrument))
}

/** A pending payment as it is stored, and its request. */
interface StoredPayment {
  readonly mark: RequestMark
  readonly session: SessionRow
  readonly row: TransactionRow
  readonly channel: Channel
  readonly request: AccountRequest
}

async function authoriseWith(
  context: Context,
  { mark, session, row, channel, request }: StoredPayment,
  instrument: UsableInstrument,
): Promise<PendingUnit> {
  const resumed = await paymentOf(context, request, row, channel, instrument)
  const approved = await approvePayment(context, resumed, instrument)
  if ('kind' in approved) return decideCompletion(context, mark, session, declineFor(approved))
  const { verdict } = progressOf(session)
  const payment = withSession(context, resumed, approved.routing)
  return sendAuthorisation(context, {
    request: authorisationRequestOf(context, payment, approved),
    routing: approved.routing,
    async decide(response) {
      const code = verdict ? resultAfterCheck(verdict, response.code) : response.code
      const unit = await answeredPayment(context, payment, approved, { ...response, code })
      return replacePending(row, unit, session, mark.atMs)
    },
    release: instrument.release,
    attempt: attemptFactsOf(request, channel),
  })
}

async function paymentOf(
  { storage }: Context,
  request: AccountRequest,
  row: TransactionRow,
  channel: Channel,
  instrument: UsableInstrument,
): Promise<PaymentContext> {
  const stored = row.registration_id === null ? undefined : await storage.registration(row.registration_id)
  const registration: Registration | undefined = stored && (await currentRegistration(storage, stored, request.atMs))
  const { descriptor } = readEcho(row.outcome)
  return {
    request,
    id: row.id,
    channel,
    type: narrow(isPaymentType, row.type),
    descriptor: typeof descriptor === 'string' ? descriptor : '',
    instrument: { ...instrument, registrationId: row.registration_id ?? undefined },
    registration,
    sessionId: undefined,
    sessionKind: 'bank',
  }
}

/**
 * Applies the rules of acceptance again, as of the time of the request: the result is the same unless settings or
 * stored data have changed. The risk rules are not applied again; the session contains their verdict.
 */
async function approvePayment(
  context: Context,
  payment: PaymentContext,
  instrument: UsableInstrument,
): Promise<ApprovedPayment | Refused | Unknown> {
  const routing = routingOf(context, payment, instrument)
  const subject = acceptanceSubject(context, payment, instrument, routing !== undefined)
  const go = decidePayment(subject, payment, instrument)
  if (go.kind !== 'go') return go
  if (!routing) throw new InvariantError('accepted payment has no connector', payment.id)
  const acceptedInstruction = await acceptedInstructionOf(context, payment, instrument, go)
  if (acceptedInstruction?.kind === 'refused') return acceptedInstruction
  return { instrument, go, risk: undefined, acceptedInstruction, routing }
}

/** The unit that replaces the pending payment. Its account and its uniqueness constraints are stored already. */
function replacePending(from: TransactionRow, unit: DecidedUnit, session: SessionRow, nowMs: number): DecidedUnit {
  const { row } = unit.transaction
  const { risk } = readEcho(from.echo)
  const to = risk === undefined ? row : { ...row, echo: JSON.stringify({ ...readEcho(row.echo), risk }) }
  return {
    ...unit,
    transaction: { row: to, from },
    account: undefined,
    unique: undefined,
    compareAndSets: row.status === 'NOK' ? sessionKeyReleases(session, 'NOK', nowMs) : undefined,
  }
}

const declineFor = (
  refusal: Pick<Refused, 'code' | 'reason'>,
  { reason }: Partial<AuthenticationState> = {},
): AcquirerResponse => ({
  status: 'declined',
  code: refusal.code,
  amountMinor: 0,
  details: { ExtendedDescription: refusal.reason, ...(reason !== undefined && { TransactionStatusReason: reason }) },
})
