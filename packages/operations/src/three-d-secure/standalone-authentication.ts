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
import { faceOnly, sealedAccount } from '../records/account-record.ts'
import { accountView } from '../records/masked-account.ts'
import { notificationIn } from '../records/notification-target.ts'
import { type Outcome, resultView } from '../records/outcome.ts'
import { storedFacts } from '../records/payment-record.ts'
import { answerAbout } from '../records/transaction-view.ts'
import { refusalAnswer } from '../refusal-answer.ts'
import { onItsChannel, registrationOf } from '../records/registration-record.ts'
import { askIssuer } from './authenticate.ts'
import { type Authenticating, authenticationPage, newVisit } from '../records/session-record.ts'
import { challengeOf, takesPart, toldBrowser } from './start-authentication.ts'
import { flowOf, withFound } from './authentication-result.ts'
import { deviceOf, hasDevice } from './device.ts'

/** What is settled about an authentication before anyone was asked. */
interface Opening {
  readonly call: Call
  readonly id: string
  readonly channel: Channel
  readonly instrument: Instrument
  readonly currency: CurrencyCode
  /** null where the amount does not fit its currency. */
  readonly amountMinor: number | null
}

/** The same where nothing stands against it. */
interface Accepted extends Opening {
  readonly instrument: UsableInstrument
  readonly amountMinor: number
}

/**
 * 3D: the issuer of a card authenticates its holder, and nothing is paid. What he finds is answered as a payment takes
 * it from an external 3-D Secure server, here or with another acquirer. Like a payment it is kept whatever comes of it;
 * the card's number only as long as the issuer has still to be asked, or to answer.
 */
export async function authenticateAlone(gateway: Context, call: Call, instrument: Instrument): Promise<PendingUnit> {
  if (instrument.kind === 'unusable' && instrument.why.kind === 'unknown') {
    return { answer: refusalAnswer(gateway, call, instrument.why) }
  }
  const { values } = call.form
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
  const opening = { call, id: gateway.ids.ordered(call.atMs), channel, instrument, currency, amountMinor }
  if (instrument.kind === 'unusable') return ended(gateway, opening, instrument.why)
  try {
    if (amount.kind === 'refused') return ended(gateway, opening, amount)
    const accepted = { ...opening, instrument, amountMinor: amount.amountMinor }
    const why = standaloneAuthenticationRefusal(acceptanceSubject(gateway, accepted))
    return why ? ended(gateway, opening, why) : await authenticate(gateway, accepted)
  } finally {
    instrument.release()
  }
}

/** The same with a stored card, on the channel that it was stored on. It is copied as long as it is needed. */
export async function authenticateStored(gateway: Context, call: Call): Promise<PendingUnit> {
  const stored = await registrationOf(gateway, call)
  const narrowed = onItsChannel(call, stored)
  return authenticateAlone(gateway, narrowed, await instrumentOfRegistration(gateway, narrowed, stored))
}

/** The subject of the channel's rules. */
function acceptanceSubject(gateway: Context, accepted: Accepted): StandaloneAuthenticationSubject {
  const { call, channel, instrument, currency, amountMinor } = accepted
  const { form } = call
  return {
    terms: channel.settings,
    returnAddress: form.values.get('shopperResultUrl'),
    currency,
    amountMinor,
    isNonPayment: isTrue(form, 'threeDSecure.npa'),
    hasIssuer: hasIssuer(instrument),
    hasNumber: instrument.number !== undefined,
    issuersConnected: gateway.issuers !== undefined,
    isRegistered: isRegistered(gateway.config.environment, channel, instrument.brand),
    hasWrongDevice: hasDevice(form) && deviceOf(form) === undefined,
  }
}

/** Asks the issuer at once, where it wants to look at no browser and the merchant has told of it; else on our page. */
async function authenticate(gateway: Context, accepted: Accepted): Promise<PendingUnit> {
  const { call, channel, instrument, amountMinor, currency } = accepted
  const { number, brand, face } = instrument
  if (!number) throw new Error('a card that an issuer is asked about has a number')
  const { values } = call.form
  const range = await gateway.issuers?.ranges.find(number)
  const isForced = values.get('customParameters[3DS2_enrolled]') === 'true'
  const sdkOrMerchant = deviceOf(call.form)
  if (!takesPart({ isForced, range, device: sdkOrMerchant })) return ended(gateway, accepted, notEnrolled)
  const refusal = refusalToAuthenticate({ call, channel, brand, device: sdkOrMerchant, amountMinor, currency })
  if (refusal) return ended(gateway, accepted, refusal)
  const visitId = gateway.ids.random()
  const device = sdkOrMerchant ?? (range?.methodUrl === undefined ? toldBrowser(call) : undefined)
  if (!device) return wait(gateway, accepted, visitId)
  const { holder, expiryMonth, expiryYear } = face
  const about = { visitId, call, channel, brand, number, holder, expiryMonth, expiryYear, amountMinor, currency }
  const found = await askIssuer(gateway, { ...about, device })
  if (found.outcome === undefined) return wait(gateway, accepted, visitId, found)
  return ended(gateway, accepted, resultOfAuthentication(found.outcome, flowOf(found), channel.settings), found)
}

/** It is over, or never began: no number is kept. */
function ended(
  gateway: Context,
  opening: Opening,
  result: AuthenticationResult | Refused,
  found?: Authenticating,
): PendingUnit {
  const { call, id, channel, instrument } = opening
  const { merchant } = channel
  const { account: kind, brand = null, face } = instrument
  const row = transactionRow(opening, result, { found })
  return {
    answer: answerAbout(gateway, call, row),
    guards: [{ id, merchant, version: 0 }],
    rows: {
      payment_transaction: [row],
      account: face && [faceOnly({ id, merchant, kind, brand, face, atMs: call.atMs })],
    },
  }
}

const pending: AuthenticationResult = {
  code: '000.200.000',
  reason: 'The shopper has to be authenticated on the page that he is sent to.',
}

/** It waits until the shopper has been on the page where the issuer may ask who he is. */
async function wait(
  gateway: Context,
  accepted: Accepted,
  visitId: string,
  authenticating?: Authenticating,
): Promise<PendingUnit> {
  const { call, id, channel, instrument } = accepted
  const { merchant } = channel
  const { account: kind, brand, face, number } = instrument
  const url = authenticationPage(gateway.address.url, visitId)
  const challenge = challengeOf(visitId, authenticating)
  const redirect = challenge ? undefined : ({ url, method: 'GET', parameters: [] } as const)
  const row = transactionRow(accepted, pending, { redirect, challenge })
  const visit = newVisit(row, call, { id: visitId, kind: 'standalone', progress: { authenticating } })
  return {
    answer: answerAbout(gateway, call, row),
    guards: [{ id, merchant, version: 0 }],
    rows: {
      payment_transaction: [row],
      account: [await sealedAccount(gateway, number, { id, merchant, kind, brand, face, atMs: call.atMs })],
      visit: [visit],
      job: [sessionTimer(visit)],
    },
  }
}

interface Shown extends Pick<Outcome, 'redirect' | 'challenge'> {
  readonly found?: Authenticating | undefined
}

function transactionRow(
  { call, id, channel, instrument, currency, amountMinor }: Opening,
  { code, reason }: AuthenticationResult,
  { redirect, challenge, found }: Shown,
): TransactionRow {
  const { values } = call.form
  const { account: kind, brand, face } = instrument
  const outcome: Outcome = {
    brandResult: instrument.kind === 'usable' ? instrument.brandResult : undefined,
    result: resultView(code),
    resultDetails: { ExtendedDescription: reason },
    redirect,
    challenge,
    ...(face && accountView(kind, face)),
  }
  return {
    root_id: id,
    id,
    merchant: channel.merchant,
    channel: channel.id,
    referenced_id: null,
    type: '3D',
    status: statusOf(code),
    amount_minor: amountMinor,
    currency,
    brand: brand ?? null,
    method: methodOf(brand),
    test_mode: values.get('testMode') ?? 'INTERNAL',
    account_id: face ? id : null,
    registration_id: instrument.registrationId ?? null,
    network_transaction_id: null,
    initial_transaction_id: null,
    merchant_transaction_id: values.get('merchantTransactionId') ?? null,
    result_code: code,
    facts: storedFacts(notificationIn(call), call.form),
    echo: JSON.stringify(withFound(echoOn(channel, call.form, face && kind), found)),
    outcome: JSON.stringify(outcome),
    created_at_ms: call.atMs,
  }
}
