import { effectOfAuthentication, type Go, type Refused, refused, type Purchase, purchaseOf } from '@tollgate/domain'
import type { Authentication, Device } from './authentication-request.ts'
import type { Participation } from '../ports/issuers.ts'
import { methodPrecondition } from './three-ds-method.ts'
import { authenticationRefusal } from './authentication-refusal.ts'
import { serverTransactionIdOf } from './server-transaction-id.ts'
import type { AcquirerResponse } from '../acquirer/acquirer-response.ts'
import type { Channel } from '../directory/channel.ts'
import type { Context } from '../context.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import { deviceOf } from './device.ts'
import type { UsableInstrument } from '../accounts/instrument.ts'
import { readEcho } from '../records/stored-json.ts'
import { sendAuthenticationRequest } from './authenticate.ts'
import { type AuthenticationState, authenticationPage } from '../records/session-record.ts'

/** A payment that is pending until its authentication has ended: on a page of the gateway, in an app, or decoupled. */
interface PendingAuthentication {
  readonly kind: 'pending'
  readonly sessionId: string
  readonly response: AcquirerResponse
  readonly authenticationState?: AuthenticationState | undefined
}

/** The result of `startAuthentication`: the payment is refused, pending, or authorised at once (direct). */
export type AuthenticationStart =
  | (Refused & { readonly details?: AcquirerResponse['details'] })
  | PendingAuthentication
  /** `proof`: the state of a successful or attempted authentication, if there was one. */
  | { readonly kind: 'direct'; readonly proof?: AuthenticationState }

interface PaymentToAuthenticate {
  readonly request: AccountRequest
  readonly channel: Channel
  readonly instrument: UsableInstrument
  readonly go: Go
  /** The network transaction id of the payment that began the agreement of this charge. */
  readonly agreementId: string | undefined
}

/**
 * Starts the authentication of a payment if its card takes part in 3-D Secure. Otherwise the channel's settings decide
 * whether the payment is authorised without authentication or refused. The AReq is sent at once for an app and for a
 * merchant-initiated charge. For a browser, it is sent at once only if the request contains all fields of the browser
 * and the issuer has no 3DS Method; otherwise a page of the gateway reads the fields and runs the 3DS Method first.
 */
export async function startAuthentication(
  context: Context,
  payment: PaymentToAuthenticate,
): Promise<AuthenticationStart> {
  const { request, channel, instrument, go } = payment
  const { isEnrolmentForced, hasBrowser } = request.authentication
  const range = instrument.number && (await context.issuers?.ranges.find(instrument.number))
  const device = deviceOf(request)
  if (canBeAuthenticated({ isEnrolmentForced, range, device })) {
    const purchase = purchaseOf(request.authentication, go)
    if (purchase.kind === 'refused') return purchase
    const refusal = authenticationRefusal({ request, channel, brand: instrument.brand, device })
    if (refusal) return refusal
    const deviceWithoutPage = device ?? (hasBrowser && range?.methodUrl === undefined ? sentBrowser : undefined)
    if (deviceWithoutPage) return sendAtOnce(context, payment, deviceWithoutPage, purchase)
    return pendingOnPage(context, payment, { sessionId: context.ids.random(), methodUrl: range?.methodUrl })
  }
  if (channel.settings.threeDSecure === 'enrolled' || channel.settings.unauthenticated === 'continue') return direct
  return refused('000.400.109', 'the card does not take part in 3-D Secure')
}

const direct: AuthenticationStart = { kind: 'direct' }

interface Participant {
  /** Whether a test parameter makes any card count as enrolled. */
  readonly isEnrolmentForced: boolean
  readonly range: Participation | undefined
  readonly device: Device | undefined
}

/** Whether the card can be authenticated. A merchant-initiated request (3RI) needs version 2.2.0 or later. */
export const canBeAuthenticated = ({ isEnrolmentForced, range, device }: Participant): boolean =>
  (isEnrolmentForced || range !== undefined) && !(device?.channel === '03' && range?.version === '2.1.0')

/** The device of a request that contains all fields of its browser, if the issuer has no 3DS Method. */
export const sentBrowser: Device = { channel: '02', methodCompletion: 'U' }

/** A pending payment whose shopper is redirected to the page of the authentication. */
function pendingOnPage(
  { pages }: Context,
  { go }: PaymentToAuthenticate,
  {
    sessionId,
    methodUrl,
    authenticationState,
  }: Pick<PendingAuthentication, 'sessionId' | 'authenticationState'> & { readonly methodUrl?: string | undefined },
): AuthenticationStart {
  const url = authenticationPage(pages.url, sessionId)
  const preconditions = methodUrl === undefined ? undefined : [methodPrecondition(methodUrl, pages.url, sessionId)]
  const details = { ExtendedDescription: ON_PAGE }
  const redirect = { url, method: 'GET' as const, parameters: [], preconditions }
  const response = { ...pendingResponse(go, details), redirect }
  return { kind: 'pending', sessionId, response, authenticationState }
}

const pendingResponse = ({ amountMinor }: Go, details: AcquirerResponse['details']): AcquirerResponse => ({
  status: 'pending',
  code: '000.200.000',
  amountMinor,
  details,
})

async function sendAtOnce(
  context: Context,
  payment: PaymentToAuthenticate,
  device: Device,
  purchase: Purchase,
): Promise<AuthenticationStart> {
  const { request, channel, instrument, go, agreementId } = payment
  const { number, masked, brand } = instrument
  if (!number) return direct
  const sessionId = context.ids.random()
  const authenticationState = await sendAuthenticationRequest(context, {
    sessionId,
    request,
    channel,
    brand,
    number,
    masked,
    purchase,
    device,
    prior: agreementId === undefined ? undefined : await priorOf(context, channel, agreementId),
  })
  const { outcome, reason, cardholderInfo } = authenticationState
  // In a browser, the page of the gateway redirects to the issuer's page, or explains the wait for a decoupled
  // authentication.
  if (outcome === undefined && device.channel === '02') {
    return pendingOnPage(context, payment, { sessionId, authenticationState })
  }
  if (outcome === undefined) {
    const ExtendedDescription = pendingTextOf(authenticationState)
    const details =
      cardholderInfo === undefined ? { ExtendedDescription } : { ExtendedDescription, CardholderInfo: cardholderInfo }
    return { kind: 'pending', sessionId, response: pendingResponse(go, details), authenticationState }
  }
  const effect = effectOfAuthentication(outcome, channel.settings)
  switch (effect.kind) {
    case 'proven':
      return { kind: 'direct', proof: authenticationState }
    case 'unproven':
      return direct
    case 'refused':
      return { ...effect, ...(reason !== undefined && { details: { TransactionStatusReason: reason } }) }
  }
}

/** The authentication of the payment that began the agreement, as the answer to that payment contains it. */
async function priorOf(
  { storage }: Context,
  { merchant }: Channel,
  agreementId: string,
): Promise<Authentication['prior']> {
  const row = (await storage.byNetworkId(agreementId, merchant))?.row
  const authentication = row && readEcho(row.echo)['threeDSecure']
  const id: unknown = typeof authentication === 'object' ? Reflect.get(authentication, 'acsTransactionId') : undefined
  // An id from an external 3DS server may be any text, but the AReq needs a UUID.
  return row && typeof id === 'string' && UUID.test(id) ? { acsTransactionId: id, atMs: row.created_at_ms } : undefined
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The description of a pending authentication in answers. @param state undefined: the page sends the AReq later */
export function pendingTextOf(state: AuthenticationState | undefined): string {
  if (state?.deviceChannel === undefined) return ON_PAGE
  return state.decoupledMinutes === undefined ? CHALLENGED : DECOUPLED
}

const ON_PAGE = 'The shopper must be authenticated on the redirect page.'
const CHALLENGED = 'The issuer challenges the shopper in the app: pass challenge to its 3-D Secure SDK.'
const DECOUPLED = 'The issuer authenticates the cardholder itself and sends the result later.'

/** The fields with which the SDK of an app begins a challenge, named as in the messages of EMV 3-D Secure. */
export function appChallengeOf(sessionId: string | undefined, state: AuthenticationState | undefined) {
  if (sessionId === undefined || state?.acsSignedContent === undefined) return undefined
  const { version, acsTransID, dsTransID, sdkTransID, acsReferenceNumber, acsSignedContent } = state
  const threeDSServerTransID = serverTransactionIdOf(sessionId)
  const ids = { threeDSServerTransID, acsTransID, dsTransID, sdkTransID }
  return { messageVersion: version, ...ids, acsReferenceNumber, acsSignedContent }
}
