import { afterAuthentication, type Go, type Refused, refused, type Purchase, purchaseOf } from '@tollgate/domain'
import type { Authentication, Device } from './authentication-request.ts'
import type { Participation } from '../ports/issuers.ts'
import { methodPrecondition } from './three-ds-method.ts'
import { refusalToAuthenticate } from './refuse-authentication.ts'
import { uuidOf } from './server-identity.ts'
import type { AcquirerResponse } from '../acquirer/acquirer-response.ts'
import type { Channel } from '../directory/channel.ts'
import type { Context } from '../context.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import { deviceOf } from './device.ts'
import type { UsableInstrument } from '../accounts/instrument.ts'
import { readEcho } from '../records/stored-json.ts'
import { sendAuthenticationRequest } from './authenticate.ts'
import { type Authenticating, authenticationPage } from '../records/session-record.ts'

/** The payment waits: until the shopper was on the page, or for the issuer's word. */
interface Waits {
  readonly kind: 'waits'
  readonly sessionId: string
  readonly response: AcquirerResponse
  readonly authenticating?: Authenticating | undefined
}

/** The first step of a demanded authentication. */
export type AuthenticationStart =
  | (Refused & { readonly details?: AcquirerResponse['details'] })
  | Waits
  /** It is authorised, with a proof or without. */
  | { readonly kind: 'direct'; readonly proof?: Authenticating }

interface Asked {
  readonly request: AccountRequest
  readonly channel: Channel
  readonly instrument: UsableInstrument
  readonly go: Go
  /** The network's id of the payment that began the agreement by which it is charged. */
  readonly agreementId: string | undefined
}

/**
 * Whether the issuer of the card takes part, and the result if it does not. The AReq is sent at once for an app, for a
 * merchant-initiated charge, and for a browser with all fields whose issuer has no 3DS Method; otherwise a page has to
 * read the browser's fields.
 */
export async function startAuthentication(context: Context, asked: Asked): Promise<AuthenticationStart> {
  const { request, channel, instrument, go } = asked
  const { isForced, hasBrowser } = request.authentication
  const range = instrument.number && (await context.issuers?.ranges.find(instrument.number))
  const device = deviceOf(request)
  if (takesPart({ isForced, range, device })) {
    const purchase = purchaseOf(request.authentication, go)
    if (purchase.kind === 'refused') return purchase
    const refusal = refusalToAuthenticate({ request, channel, brand: instrument.brand, device })
    if (refusal) return refusal
    const known = device ?? (hasBrowser && range?.methodUrl === undefined ? sentBrowser : undefined)
    if (known) return askAtOnce(context, asked, known, purchase)
    return viaPage(context, asked, { sessionId: context.ids.random(), methodUrl: range?.methodUrl })
  }
  if (channel.settings.threeDSecure === 'enrolled' || channel.settings.unauthenticated === 'continue') return direct
  return refused('000.400.109', 'the card does not take part in 3-D Secure')
}

const direct: AuthenticationStart = { kind: 'direct' }

interface Participant {
  /** Whether the test parameter demands it. */
  readonly isForced: boolean
  readonly range: Participation | undefined
  readonly device: Device | undefined
}

/** Whether the card can be authenticated. 3RI payments came with 2.2.0. */
export const takesPart = ({ isForced, range, device }: Participant): boolean =>
  (isForced || range !== undefined) && !(device?.channel === '03' && range?.version === '2.1.0')

/** The browser of a request that sends all fields an issuer needs. */
export const sentBrowser: Device = { channel: '02', looked: 'U' }

/** The payment waits until the shopper has been on the page of the authentication. */
function viaPage(
  { pages }: Context,
  { go }: Asked,
  {
    sessionId,
    methodUrl,
    authenticating,
  }: Pick<Waits, 'sessionId' | 'authenticating'> & { readonly methodUrl?: string | undefined },
): AuthenticationStart {
  const url = authenticationPage(pages.url, sessionId)
  const preconditions = methodUrl === undefined ? undefined : [methodPrecondition(methodUrl, pages.url, sessionId)]
  const details = { ExtendedDescription: 'The shopper must be authenticated on the redirect page.' }
  const redirect = { url, method: 'GET' as const, parameters: [], preconditions }
  const response = { ...pending(go, details), redirect }
  return { kind: 'waits', sessionId, response, authenticating }
}

const pending = ({ amountMinor }: Go, details: AcquirerResponse['details']): AcquirerResponse => ({
  status: 'pending',
  code: '000.200.000',
  amountMinor,
  details,
})

async function askAtOnce(
  context: Context,
  asked: Asked,
  device: Device,
  purchase: Purchase,
): Promise<AuthenticationStart> {
  const { request, channel, instrument, go, agreementId } = asked
  const { number, masked, brand } = instrument
  if (!number) return direct
  const sessionId = context.ids.random()
  const authenticating = await sendAuthenticationRequest(context, {
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
  const { outcome, reason, decoupledMinutes, cardholderInfo: told } = authenticating
  // In a browser the issuer's page is led to, and the wait for its word explained, by the page of ours.
  if (outcome === undefined && device.channel === '02') {
    return viaPage(context, asked, { sessionId, authenticating })
  }
  if (outcome === undefined) {
    const ExtendedDescription = decoupledMinutes === undefined ? CHALLENGED : DECOUPLED
    const details = told === undefined ? { ExtendedDescription } : { ExtendedDescription, CardholderInfo: told }
    return { kind: 'waits', sessionId, response: pending(go, details), authenticating }
  }
  const consequence = afterAuthentication(outcome, channel.settings)
  switch (consequence.kind) {
    case 'proven':
      return { kind: 'direct', proof: authenticating }
    case 'unproven':
      return direct
    case 'refused':
      return { ...consequence, ...(reason !== undefined && { details: { TransactionStatusReason: reason } }) }
  }
}

/** How the shopper was authenticated when the agreement began, by the answer that the payment got. */
async function priorOf(
  { storage }: Context,
  { merchant }: Channel,
  agreementId: string,
): Promise<Authentication['prior']> {
  const row = (await storage.byNetworkId(agreementId, merchant))?.row
  const told = row && readEcho(row.echo)['threeDSecure']
  const id: unknown = typeof told === 'object' ? Reflect.get(told, 'acsTransactionId') : undefined
  // One that an external server gave may be any text.
  return row && typeof id === 'string' && UUID.test(id) ? { acsTransactionId: id, atMs: row.created_at_ms } : undefined
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const CHALLENGED = 'The issuer challenges the shopper in the app: hand challenge to its 3-D Secure SDK.'
const DECOUPLED = 'The issuer reaches the cardholder by itself, and tells how it came out.'

/** The fields with which the SDK of an app begins a challenge, named as in the messages of EMV 3-D Secure. */
export function challengeOf(sessionId: string | undefined, authenticating: Authenticating | undefined) {
  if (sessionId === undefined || authenticating?.acsSignedContent === undefined) return undefined
  const { version, acsTransID, dsTransID, sdkTransID, acsReferenceNumber, acsSignedContent } = authenticating
  const threeDSServerTransID = uuidOf(sessionId)
  const ids = { threeDSServerTransID, acsTransID, dsTransID, sdkTransID }
  return { messageVersion: version, ...ids, acsReferenceNumber, acsSignedContent }
}
