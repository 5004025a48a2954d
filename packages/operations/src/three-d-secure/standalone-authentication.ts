import { type CurrencyCode, isCurrency, isTrue } from '@tollgate/contract'
import {
  type AuthenticationResult,
  dispatch,
  notEnrolled,
  parseAmount,
  type Refused,
  resultOfAuthentication,
  standaloneAuthenticationRefusal,
  type StandaloneAuthenticationSubject,
  statusOf,
} from '@tollgate/domain'
import type { TransactionRow } from '@tollgate/storage'
import { authenticatedAmount } from './authentication-request.ts'
import { refusalToAuthenticate } from './refuse-authentication.ts'
import type { Channel } from '../directory/channel.ts'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { Call } from '../request.ts'
import { sessionTimer } from '../records/timers.ts'
import { known } from '../narrow.ts'
import { isRegistered } from './requestor.ts'
import { echoOn } from '../records/echo.ts'
import { hasIssuer, type Instrument, type UsableInstrument } from '../accounts/instrument.ts'
import { instrumentOfRegistration } from '../accounts/stored-instrument.ts'
import { methodOf } from '../records/payment-method.ts'
import { accountWithoutNumber, sealedAccount } from '../records/account-record.ts'
import { accountView } from '../records/masked-account.ts'
import { notificationIn } from '../records/notification-target.ts'
import { type Outcome, resultView } from '../records/outcome.ts'
import { rootTransaction } from '../records/new-transaction.ts'
import { answerAbout } from '../records/transaction-view.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { onItsChannel, registrationOf } from '../records/registration-record.ts'
import { sendAuthenticationRequest } from './authenticate.ts'
import { type Authenticating, authenticationPage, newSession } from '../records/session-record.ts'
import { challengeOf, takesPart, sentBrowser } from './start-authentication.ts'
import { flowOf, withFound } from './authentication-result.ts'
import { deviceOf, hasDevice } from './device.ts'

/** What is settled about an authentication before anyone was asked. */
interface AuthenticationContext {
  readonly call: Call
  readonly id: string
  readonly channel: Channel
  readonly instrument: Instrument
  readonly currency: CurrencyCode
  /** null where the amount does not fit its currency. */
  readonly amountMinor: number | null
}

/** The same where nothing stands against it. */
interface Accepted extends AuthenticationContext {
  readonly instrument: UsableInstrument
  readonly amountMinor: number
}

/**
 * 3D: the issuer of a card authenticates its holder without a payment. The answer has the result under the names that a
 * payment accepts from an external 3DS server, here or with another acquirer. Like a payment it is stored with any
 * outcome; the card number is stored only until the issuer's result.
 */
export async function standaloneAuthentication(
  context: Context,
  call: Call,
  instrument: Instrument,
): Promise<PendingUnit> {
  if (instrument.kind === 'unusable' && instrument.why.kind === 'unknown') {
    return { answer: refusalAnswer(context, call, instrument.why) }
  }
  const { values } = call.parameters
  const sentCurrency = known(isCurrency, values.get('currency') ?? '')
  const sent = parseAmount(values.get('amount') ?? '', sentCurrency)
  // The amount in the AReq is the amount of the authentication.
  const amount =
    sent.kind === 'amount'
      ? authenticatedAmount(values, { amountMinor: sent.amountMinor, currency: sentCurrency })
      : sent
  const currency = amount.kind === 'amount' ? amount.currency : sentCurrency
  const amountMinor = amount.kind === 'amount' ? amount.amountMinor : null
  const channel = dispatch(call.channels, instrument.brand, currency)
  const authenticationContext = { call, id: context.ids.ordered(call.atMs), channel, instrument, currency, amountMinor }
  if (instrument.kind === 'unusable') return ended(context, authenticationContext, instrument.why)
  try {
    if (amount.kind === 'refused') return ended(context, authenticationContext, amount)
    const accepted = { ...authenticationContext, instrument, amountMinor: amount.amountMinor }
    const why = standaloneAuthenticationRefusal(acceptanceSubject(context, accepted))
    return why ? ended(context, authenticationContext, why) : await authenticate(context, accepted)
  } finally {
    instrument.release()
  }
}

/** The same with a stored card, on the channel that it was stored on. It is copied as long as it is needed. */
export async function authenticateStored(context: Context, call: Call): Promise<PendingUnit> {
  const stored = await registrationOf(context, call)
  const narrowed = onItsChannel(call, stored)
  return standaloneAuthentication(context, narrowed, await instrumentOfRegistration(context, narrowed, stored))
}

/** The subject of the channel's rules. */
function acceptanceSubject(context: Context, accepted: Accepted): StandaloneAuthenticationSubject {
  const { call, channel, instrument, currency, amountMinor } = accepted
  const { parameters } = call
  return {
    terms: channel.settings,
    returnAddress: parameters.values.get('shopperResultUrl'),
    currency,
    amountMinor,
    isNonPayment: isTrue(parameters, 'threeDSecure.npa'),
    hasIssuer: hasIssuer(instrument),
    hasNumber: instrument.number !== undefined,
    issuersConnected: context.issuers !== undefined,
    isRegistered: isRegistered(context.environment, channel, instrument.brand),
    hasWrongDevice: hasDevice(parameters) && deviceOf(parameters) === undefined,
  }
}

/** Asks the issuer at once, where it wants to look at no browser and the merchant has told of it; else on our page. */
async function authenticate(context: Context, accepted: Accepted): Promise<PendingUnit> {
  const { call, channel, instrument, amountMinor, currency } = accepted
  const { number, brand, masked } = instrument
  if (!number) throw new Error('a card that an issuer is asked about has a number')
  const { values } = call.parameters
  const range = await context.issuers?.ranges.find(number)
  const isForced = values.get('customParameters[3DS2_enrolled]') === 'true'
  const sdkOrMerchant = deviceOf(call.parameters)
  if (!takesPart({ isForced, range, device: sdkOrMerchant })) return ended(context, accepted, notEnrolled)
  const refusal = refusalToAuthenticate({ call, channel, brand, device: sdkOrMerchant, amountMinor, currency })
  if (refusal) return ended(context, accepted, refusal)
  const sessionId = context.ids.random()
  const device = sdkOrMerchant ?? (range?.methodUrl === undefined ? sentBrowser(call) : undefined)
  if (!device) return wait(context, accepted, sessionId)
  const about = { sessionId, call, channel, brand, number, masked, amountMinor, currency, device }
  const found = await sendAuthenticationRequest(context, about)
  if (found.outcome === undefined) return wait(context, accepted, sessionId, found)
  return ended(context, accepted, resultOfAuthentication(found.outcome, flowOf(found), channel.settings), found)
}

/** It is over, or never began: no number is kept. */
function ended(
  context: Context,
  authenticationContext: AuthenticationContext,
  result: AuthenticationResult | Refused,
  found?: Authenticating,
): PendingUnit {
  const { call, id, channel, instrument } = authenticationContext
  const { merchant } = channel
  const { account: kind, brand = null, masked } = instrument
  const row = transactionRow(authenticationContext, result, { found })
  return {
    answer: answerAbout(context, call, row),
    transaction: { row },
    account: masked && accountWithoutNumber({ id, merchant, kind, brand, masked, atMs: call.atMs }),
  }
}

const pending: AuthenticationResult = {
  code: '000.200.000',
  reason: 'The shopper must be authenticated on the redirect page.',
}

/** It waits until the shopper has been on the page of the authentication. */
async function wait(
  context: Context,
  accepted: Accepted,
  sessionId: string,
  authenticating?: Authenticating,
): Promise<PendingUnit> {
  const { call, id, channel, instrument } = accepted
  const { merchant } = channel
  const { account: kind, brand, masked, number } = instrument
  const url = authenticationPage(context.pages.url, sessionId)
  const challenge = challengeOf(sessionId, authenticating)
  const redirect = challenge ? undefined : ({ url, method: 'GET', parameters: [] } as const)
  const row = transactionRow(accepted, pending, { redirect, challenge })
  const session = newSession(row, call, { id: sessionId, kind: 'standalone', progress: { authenticating } })
  return {
    answer: answerAbout(context, call, row),
    transaction: { row },
    account: await sealedAccount(context, number, { id, merchant, kind, brand, masked, atMs: call.atMs }),
    rows: { visit: [session], job: [sessionTimer(session)] },
  }
}

interface Shown extends Pick<Outcome, 'redirect' | 'challenge'> {
  readonly found?: Authenticating | undefined
}

function transactionRow(
  { call, id, channel, instrument, currency, amountMinor }: AuthenticationContext,
  { code, reason }: AuthenticationResult,
  { redirect, challenge, found }: Shown,
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
  return rootTransaction(call, {
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
    facts: notificationIn(call),
    echo: withFound(echoOn(channel, call.parameters, masked && kind), found),
    outcome,
  })
}
