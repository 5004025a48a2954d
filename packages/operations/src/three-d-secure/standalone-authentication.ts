import { type CurrencyCode, InvariantError } from '@tollgate/contract'
import {
  type AuthenticationResult,
  dispatch,
  notEnrolled,
  type Refused,
  resultOfAuthentication,
  standaloneAuthenticationRefusal,
  type StandaloneAuthenticationSubject,
  statusOf,
  type Purchase,
  purchaseOf,
} from '@tollgate/domain'
import type { TransactionRow } from '@tollgate/storage'
import { authenticationRefusal } from './authentication-refusal.ts'
import type { Channel } from '../directory/channel.ts'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { AccountOnFile } from '../parameters/account-on-file.ts'
import type { SentAccount } from '../parameters/account.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import { moneyOf } from '../parameters/money.ts'
import { sessionTimer } from '../records/timers.ts'
import { isRequestorRegistered } from './requestor.ts'
import { echoFor } from '../records/echo.ts'
import { hasIssuer, type Instrument, type UsableInstrument } from '../accounts/instrument.ts'
import { resolveAccount } from '../accounts/resolve-account.ts'
import { methodOf } from '../records/payment-method.ts'
import { accountWithoutNumber, sealedAccount } from '../records/account-record.ts'
import { accountView } from '../records/masked-account.ts'
import { notificationTargetIn } from '../records/notification-target.ts'
import { type Outcome, resultView } from '../records/outcome.ts'
import { rootTransaction } from '../records/new-transaction.ts'
import { answerAbout } from '../records/transaction-view.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { sendAuthenticationRequest } from './authenticate.ts'
import { type AuthenticationState, authenticationPage, newSession } from '../records/session-record.ts'
import { appChallengeOf, canBeAuthenticated, pendingTextOf, sentBrowser } from './start-authentication.ts'
import { flowOf, withResult } from './authentication-result.ts'
import { deviceOf, hasInvalidDeviceInfo } from './device.ts'

/** The values that are known before the authentication is accepted or refused. */
interface AuthenticationContext {
  readonly request: AccountRequest
  readonly id: string
  readonly channel: Channel
  readonly instrument: Instrument
  readonly currency: CurrencyCode
  /** null if the amount is refused, for example because its currency has fewer decimals. */
  readonly amountMinor: number | null
}

/** The values of an authentication whose account is usable and whose amount is valid. */
interface AcceptedAuthentication extends AuthenticationContext {
  readonly instrument: UsableInstrument
  readonly purchase: Purchase
}

/**
 * 3D: the issuer of a card authenticates its holder without a payment. The answer has the result under the names that a
 * payment accepts from an external 3DS server, here or with another acquirer. Like a payment it is stored with any
 * outcome; the card number is stored only until the issuer's result.
 */
export async function standaloneAuthentication(
  context: Context,
  sent: AccountRequest<SentAccount> | AccountRequest<AccountOnFile>,
): Promise<PendingUnit> {
  const { request, instrument } = await resolveAccount(context, sent)
  if (instrument.kind === 'unusable' && instrument.refusal.kind === 'unknown') {
    return { answer: refusalAnswer(context, request, instrument.refusal) }
  }
  const { amount, currency: sentCurrency } = moneyOf(request.money)
  const purchase =
    amount.kind === 'amount'
      ? purchaseOf(request.authentication, { amountMinor: amount.amountMinor, currency: sentCurrency })
      : amount
  const currency = purchase.kind === 'purchase' ? purchase.currency : sentCurrency
  const amountMinor = purchase.kind === 'purchase' ? purchase.amountMinor : null
  const channel = dispatch(request.channels, instrument.brand, currency)
  const id = context.ids.ordered(request.atMs)
  const authenticationContext = { request, id, channel, instrument, currency, amountMinor }
  if (instrument.kind === 'unusable') return completedUnit(context, authenticationContext, instrument.refusal)
  try {
    if (purchase.kind === 'refused') return completedUnit(context, authenticationContext, purchase)
    const accepted = { ...authenticationContext, instrument, purchase }
    const refusal = standaloneAuthenticationRefusal(acceptanceSubject(context, accepted))
    return refusal ? completedUnit(context, authenticationContext, refusal) : await authenticate(context, accepted)
  } finally {
    instrument.release?.()
  }
}

/** The values by which `standaloneAuthenticationRefusal` decides. */
function acceptanceSubject(context: Context, accepted: AcceptedAuthentication): StandaloneAuthenticationSubject {
  const { request, channel, instrument, purchase } = accepted
  return {
    settings: channel.settings,
    returnAddress: request.reference.shopperResultUrl,
    currency: purchase.currency,
    amountMinor: purchase.amountMinor,
    isNonPayment: request.authentication.isNonPayment,
    hasIssuer: hasIssuer(instrument),
    hasNumber: instrument.number !== undefined,
    hasDirectoryServers: context.issuers !== undefined,
    isRequestorRegistered: isRequestorRegistered(context.environment, channel, instrument.brand),
    hasInvalidDeviceInfo: hasInvalidDeviceInfo(request),
  }
}

/**
 * Sends the AReq at once for an app and for a merchant-initiated request. For a browser, it is sent at once only if the
 * request contains all fields of the browser and the issuer has no 3DS Method; otherwise it is sent after the page of
 * the session has read the fields and run the 3DS Method.
 */
async function authenticate(context: Context, accepted: AcceptedAuthentication): Promise<PendingUnit> {
  const { request, id, channel, instrument, purchase } = accepted
  const { number, brand, masked } = instrument
  if (!number) throw new InvariantError('authenticated card has no number', id)
  const { isEnrolmentForced, hasBrowser } = request.authentication
  const range = await context.issuers?.ranges.find(number)
  const device = deviceOf(request)
  if (!canBeAuthenticated({ isEnrolmentForced, range, device })) return completedUnit(context, accepted, notEnrolled)
  const refusal = authenticationRefusal({ request, channel, brand, device })
  if (refusal) return completedUnit(context, accepted, refusal)
  const sessionId = context.ids.random()
  const deviceWithoutPage = device ?? (hasBrowser && range?.methodUrl === undefined ? sentBrowser : undefined)
  if (!deviceWithoutPage) return pendingUnit(context, accepted, sessionId)
  const authentication = { sessionId, request, channel, brand, number, masked, purchase, device: deviceWithoutPage }
  const state = await sendAuthenticationRequest(context, authentication)
  if (state.outcome === undefined) return pendingUnit(context, accepted, sessionId, state)
  return completedUnit(context, accepted, resultOfAuthentication(state.outcome, flowOf(state), channel.settings), state)
}

/** The unit of an authentication with a result; no account number is stored. */
function completedUnit(
  context: Context,
  authenticationContext: AuthenticationContext,
  result: AuthenticationResult | Refused,
  state?: AuthenticationState,
): PendingUnit {
  const { request, id, channel, instrument } = authenticationContext
  const row = transactionRow(authenticationContext, result, { state })
  return {
    answer: answerAbout(context, request, row),
    transaction: { row },
    account: accountWithoutNumber(instrument, { id, merchant: channel.merchant, atMs: request.atMs }),
  }
}

/** The unit of an authentication that waits for the shopper, on a page or in an app, or for the issuer. */
async function pendingUnit(
  context: Context,
  accepted: AcceptedAuthentication,
  sessionId: string,
  state?: AuthenticationState,
): Promise<PendingUnit> {
  const { request, id, channel, instrument } = accepted
  const url = authenticationPage(context.pages.url, sessionId)
  const challenge = appChallengeOf(sessionId, state)
  const redirect = challenge ? undefined : ({ url, method: 'GET', parameters: [] } as const)
  const pending: AuthenticationResult = { code: '000.200.000', reason: pendingTextOf(state) }
  const row = transactionRow(accepted, pending, { redirect, challenge })
  const session = newSession(row, request, { id: sessionId, kind: 'standalone', progress: { authenticating: state } })
  return {
    answer: answerAbout(context, request, row),
    transaction: { row },
    account: await sealedAccount(context, instrument, { id, merchant: channel.merchant, atMs: request.atMs }),
    rows: { visit: [session], job: [sessionTimer(session)] },
  }
}

interface TransactionDetails extends Pick<Outcome, 'redirect' | 'challenge'> {
  readonly state?: AuthenticationState | undefined
}

function transactionRow(
  { request, id, channel, instrument, currency, amountMinor }: AuthenticationContext,
  { code, reason }: AuthenticationResult,
  { redirect, challenge, state }: TransactionDetails,
): TransactionRow {
  const { account: kind, brand, masked } = instrument
  const outcome: Outcome = {
    brandResult: instrument.kind === 'usable' ? instrument.brandResult : undefined,
    result: resultView(code),
    resultDetails: { ExtendedDescription: reason },
    redirect,
    challenge,
    ...(masked && accountView(kind, masked)),
  }
  return rootTransaction(request, {
    id,
    channel,
    type: '3D',
    status: statusOf(code),
    code,
    amountMinor,
    currency,
    brand,
    method: methodOf(brand),
    hasAccount: masked !== undefined,
    registrationId: instrument.registrationId,
    facts: notificationTargetIn(request),
    echo: withResult(echoFor(channel, request.parameters, masked && kind), state),
    outcome,
  })
}
