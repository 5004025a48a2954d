import type { AcquirerRequest } from '@tollgate/connectors'
import { InvariantError } from '@tollgate/contract'
import {
  decide,
  type Decision,
  dispatch,
  type Go,
  paymentLimits,
  paymentRefusal,
  type PaymentSubject,
  type Refused,
  rejectedByRisk,
} from '@tollgate/domain'
import type { AccountRow } from '@tollgate/storage'
import { decideAndRelease, type UsableInstrument } from '../accounts/instrument.ts'
import { resolveAccount, type ResolvedAccount } from '../accounts/resolve-account.ts'
import { isProcessedByProvider, isRedirected } from '../accounts/redirected.ts'
import { acquirerAccount, authorisationRequest } from '../acquirer/authorisation-request.ts'
import { attemptFactsOf } from '../acquirer/card-retries.ts'
import { type Routing, routingOf } from '../acquirer/connector-of.ts'
import { sendAuthorisation } from '../acquirer/send-authorisation.ts'
import type { Context } from '../context.ts'
import type { AccountOnFile } from '../parameters/account-on-file.ts'
import type { SentAccount } from '../parameters/account.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import type { PendingUnit } from '../pending-unit.ts'
import { descriptorOf } from '../records/descriptor.ts'
import { testModeOf } from '../records/new-transaction.ts'
import { methodOf } from '../records/payment-method.ts'
import { sessionUrls } from '../records/session-record.ts'
import { checkRisk } from '../risk/check-risk.ts'
import type { RiskSubject } from '../risk/risk-subject.ts'
import { withProof } from '../three-d-secure/authentication-proof.ts'
import { startAuthentication } from '../three-d-secure/start-authentication.ts'
import { acceptanceSubject, offlineSaleOf } from './acceptance.ts'
import { acceptInstruction, type AcceptedInstruction, initialTransactionIdForCharge } from './card-on-file.ts'
import { commandOf } from './command.ts'
import type { ApprovedPayment, PaymentContext } from './payment-context.ts'
import { accountOf, answeredPayment, refusedPayment } from './payment-unit.ts'

/**
 * Begins a payment (PA, DB or CD) with an account in the request or a stored account.
 *
 * This function and `authorise` are not async, because every payment calls them, and most have nothing to wait for.
 */
export function beginPayment(
  context: Context,
  request: AccountRequest<SentAccount> | AccountRequest<AccountOnFile>,
): PendingUnit | Promise<PendingUnit> {
  const resolving = resolveAccount(context, request)
  if (resolving instanceof Promise) return resolving.then((resolved) => payWithAccount(context, resolved))
  return payWithAccount(context, resolving)
}

/**
 * Decides a new payment. Rules are checked in this order, and the first refusal determines the result code: the
 * account, the channel, the payment itself, its standing instruction, its risk, 3-D Secure. Then the acquirer
 * authorises the payment.
 *
 * The parameters are valid, so a refused payment is stored, too, and can be read by the id of its answer. The exception
 * is a registration that does not exist, because such a payment has no account.
 */
export function payWithAccount(context: Context, resolved: ResolvedAccount): PendingUnit | Promise<PendingUnit> {
  const payment = newPayment(context, resolved)
  const { instrument } = resolved
  if (instrument.kind === 'unusable') return refusedPayment(context, payment, instrument.refusal)
  return decideAndRelease(instrument, () => authorise(context, payment, instrument))
}

function authorise(
  context: Context,
  payment: PaymentContext,
  instrument: UsableInstrument,
): PendingUnit | Promise<PendingUnit> {
  const { request, channel } = payment
  const routing = routingOf(context, payment, instrument)
  const subject = acceptanceSubject(context, payment, instrument, routing !== undefined)
  const go = decidePayment(subject, payment, instrument)
  if (go.kind !== 'go') return refusedPayment(context, payment, go)
  if (!routing) throw new InvariantError('accepted payment has no connector', payment.id)

  const { demandsThreeDSecure } = subject
  if (request.instruction.mode !== undefined || channel.risk || demandsThreeDSecure)
    return authoriseAfterChecks(context, payment, { instrument, go, demandsThreeDSecure, routing })
  return sendPayment(context, payment, { instrument, go, risk: undefined, acceptedInstruction: undefined, routing })
}

/** Checks the standing instruction and the risk, and authenticates the cardholder, before the authorisation. */
async function authoriseAfterChecks(
  context: Context,
  payment: PaymentContext,
  { instrument, go, demandsThreeDSecure, routing }: PaymentToCheck,
): Promise<PendingUnit> {
  const { request, channel } = payment
  const acceptedInstruction = await acceptedInstructionOf(context, payment, instrument, go)
  if (acceptedInstruction?.kind === 'refused') return refusedPayment(context, payment, acceptedInstruction)

  const risk = channel.risk && (await checkRisk(context, channel.risk, riskSubject(payment, instrument, go)))
  if (risk?.kind === 'refused') return refusedPayment(context, payment, risk)
  if (risk?.verdict === 'reject') return refusedPayment(context, payment, rejectedByRisk, { risk })

  const approved: ApprovedPayment = { instrument, go, risk, acceptedInstruction, routing }
  if (!demandsThreeDSecure) return await sendPayment(context, payment, approved)
  const authentication = { request, channel, instrument, go, agreementId: acceptedInstruction?.agreementId }
  const start = await startAuthentication(context, authentication)
  if (start.kind === 'refused') return refusedPayment(context, payment, start, { risk, details: start.details })
  if (start.kind === 'pending') {
    const { sessionId, authenticationState, response } = start
    const waiting: PaymentContext = { ...payment, sessionId, sessionKind: 'authentication', authenticationState }
    return await answeredPayment(context, waiting, approved, response)
  }
  const authenticated = start.proof ? { ...payment, request: withProof(request, start.proof) } : payment
  return await sendPayment(context, authenticated, approved)
}

interface PaymentToCheck {
  readonly instrument: UsableInstrument
  readonly go: Go
  readonly demandsThreeDSecure: boolean
  readonly routing: Routing
}

/** Sends the authorisation request of a payment that no rule refuses. */
function sendPayment(context: Context, ruled: PaymentContext, approved: ApprovedPayment): Promise<PendingUnit> {
  const payment = withSession(context, ruled, approved.routing)
  let account: Promise<AccountRow> | undefined
  return sendAuthorisation(context, {
    request: authorisationRequestOf(context, payment, approved),
    routing: approved.routing,
    decide(response) {
      account ??= accountOf(context, payment, approved)
      return answeredPayment(context, payment, approved, response, account)
    },
    release: approved.instrument.release,
    attempt: attemptFactsOf(payment.request, payment.channel),
  })
}

/** A session for the shopper, whom the provider may redirect to a page of its own, also to authenticate a card. */
export function withSession({ ids }: Context, payment: PaymentContext, { first }: Routing): PaymentContext {
  const { sessionId, request } = payment
  const mayRedirect = first.connector.kind === 'remote' && first.connector.redirectsShoppers === true
  if (sessionId !== undefined || !mayRedirect || request.reference.shopperResultUrl === undefined) return payment
  return { ...payment, sessionId: ids.random(), sessionKind: 'bank' }
}

function newPayment(context: Context, { request, instrument, registration }: ResolvedAccount): PaymentContext {
  const { money, purpose, reference } = request
  const channel = dispatch(request.channels, instrument.brand, money.currency)
  const id = context.ids.ordered(request.atMs)
  const type = (instrument.brand && purpose.typesByBrand.get(instrument.brand)) ?? purpose.type
  if (type === undefined) throw new InvariantError('payment has no type', id)
  const descriptor = descriptorOf(reference, id, channel)
  const sessionId = isRedirected(instrument) ? context.ids.random() : undefined
  return { request, id, channel, type, descriptor, instrument, registration, sessionId, sessionKind: 'bank' }
}

/** Decides on a payment by the rules of its channel, then by the guards of its move. */
export function decidePayment(
  subject: PaymentSubject,
  { request, channel, type }: Pick<PaymentContext, 'request' | 'channel' | 'type'>,
  instrument: UsableInstrument,
): Decision {
  const refusal = paymentRefusal(subject)
  if (refusal) return refusal
  const command = commandOf(request, type, channel, {
    brand: instrument.brand,
    redirected: isProcessedByProvider(instrument),
    method: methodOf(instrument.brand, type),
  })
  return 'kind' in command ? command : decide(undefined, undefined, command, paymentLimits)
}

/** Checks the standing instruction of a payment; undefined if the request has none. */
export function acceptedInstructionOf(
  context: Context,
  { request, channel, registration }: Pick<PaymentContext, 'request' | 'channel' | 'registration'>,
  instrument: UsableInstrument,
  go: Go,
): Promise<AcceptedInstruction | Refused | undefined> | undefined {
  if (request.instruction.mode === undefined) return undefined
  const initialTransactionId = initialTransactionIdForCharge(request, registration)
  return acceptInstruction(context, request, { channel, instrument, go, initialTransactionId })
}

function riskSubject(
  { request, id, channel, type }: PaymentContext,
  instrument: UsableInstrument,
  go: Go,
): RiskSubject {
  const { account: kind, number, masked } = instrument
  return {
    request,
    id,
    merchant: channel.merchant,
    counterKind: type === 'CD' ? 'payout' : 'payment',
    amountMinor: go.amountMinor,
    currency: go.currency,
    account: { kind, brand: request.purpose.paymentBrand ?? instrument.brand, number, masked },
  }
}

export function authorisationRequestOf(
  { pages }: Context,
  { request, id, channel, descriptor, sessionId }: PaymentContext,
  { instrument, go, acceptedInstruction }: ApprovedPayment,
): AcquirerRequest {
  return authorisationRequest(request, go, {
    testMode: testModeOf(request, channel),
    redirected: isProcessedByProvider(instrument),
    createAgreement: isRedirected(instrument) && request.createRegistration,
    awaitsResult: true,
    urls: sessionId === undefined ? undefined : sessionUrls(pages.url, sessionId),
    transactionId: id,
    brand: instrument.brand,
    descriptor,
    account: acquirerAccount(instrument),
    hasStoredAccount: instrument.registrationId !== undefined,
    initialTransactionId: acceptedInstruction?.initialTransactionId,
    offlineApproval: offlineSaleOf(request)?.approval,
    partialApproval: channel.settings.partialApproval,
  })
}
