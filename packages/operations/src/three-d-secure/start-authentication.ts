import { browserParameters } from '@tollgate/contract'
import { afterAuthentication, type Go, type Refused, refused } from '@tollgate/domain'
import type { Authentication, Device } from './authentication-request.ts'
import type { Participation } from '../ports/issuers.ts'
import { methodPrecondition } from './three-ds-method.ts'
import { refusalToAuthenticate } from './refuse-authentication.ts'
import { uuidOf } from './server-identity.ts'
import type { Said } from '../acquirer/acquirer-response.ts'
import type { Channel } from '../directory/channel.ts'
import type { Context } from '../context.ts'
import type { Call } from '../request.ts'
import { deviceOf } from './device.ts'
import type { UsableInstrument } from '../accounts/instrument.ts'
import { readEcho } from '../records/stored-json.ts'
import { askIssuer } from './authenticate.ts'
import { type Authenticating, authenticationPage } from '../records/session-record.ts'

/** The payment waits: until the shopper was on the page, or for the issuer's word. */
interface Waits {
  readonly kind: 'waits'
  readonly visitId: string
  readonly said: Said
  readonly authenticating?: Authenticating | undefined
}

/** Where 3-D Secure is demanded, what comes of it at once. */
export type WayToIssuer =
  | (Refused & { readonly details?: Said['details'] })
  | Waits
  /** It is authorised, with a proof or without. */
  | { readonly kind: 'direct'; readonly proof?: Authenticating }

interface Asked {
  readonly call: Call
  readonly channel: Channel
  readonly instrument: UsableInstrument
  readonly go: Go
  /** The network's id of the payment that began the agreement by which it is charged. */
  readonly agreementId: string | undefined
}

/**
 * Whether the issuer of the card takes part, and what holds where it does not. It is asked at once for an app, for a
 * charge by the merchant, and for a browser of which the merchant has told, and that the issuer does not want to look
 * at; of any other browser only a page of ours can tell.
 */
export async function wayToIssuer(gateway: Context, asked: Asked): Promise<WayToIssuer> {
  const { call, channel, instrument, go } = asked
  const isForced = call.form.values.get('customParameters[3DS2_enrolled]') === 'true'
  const range = instrument.number && (await gateway.issuers?.ranges.find(instrument.number))
  const device = deviceOf(call.form)
  if (takesPart({ isForced, range, device })) {
    const refusal = refusalToAuthenticate({ ...go, call, channel, brand: instrument.brand, device })
    if (refusal) return refusal
    const known = device ?? (range?.methodUrl === undefined ? toldBrowser(call) : undefined)
    if (known) return askAtOnce(gateway, asked, known)
    return viaPage(gateway, asked, { visitId: gateway.ids.random(), methodUrl: range?.methodUrl })
  }
  if (channel.settings.threeDSecure === 'enrolled' || channel.settings.unauthenticated === 'continue') return direct
  return refused('000.400.109', 'the card does not take part in 3-D Secure')
}

const direct: WayToIssuer = { kind: 'direct' }

interface Participant {
  /** Whether the test asks for it. */
  readonly isForced: boolean
  readonly range: Participation | undefined
  readonly device: Device | undefined
}

/** Whether the card can be authenticated. 3RI payments came with 2.2.0. */
export const takesPart = ({ isForced, range, device }: Participant): boolean =>
  (isForced || range !== undefined) && !(device?.channel === '03' && range?.version === '2.1.0')

/** The browser, where the request tells all that an issuer has to know of it. */
export const toldBrowser = ({ form }: Pick<Call, 'form'>): Device | undefined =>
  browserParameters.every((name) => form.values.has(name)) ? { channel: '02', looked: 'U' } : undefined

/** The payment waits until the shopper has been on the page where the issuer may ask who he is. */
function viaPage(
  { address }: Context,
  { go }: Asked,
  {
    visitId,
    methodUrl,
    authenticating,
  }: Pick<Waits, 'visitId' | 'authenticating'> & { readonly methodUrl?: string | undefined },
): WayToIssuer {
  const url = authenticationPage(address.url, visitId)
  const preconditions = methodUrl === undefined ? undefined : [methodPrecondition(methodUrl, address.url, visitId)]
  const details = { ExtendedDescription: 'The shopper has to be authenticated on the page that he is sent to.' }
  const redirect = { url, method: 'GET' as const, parameters: [], preconditions }
  const said = { ...pending(go, details), redirect }
  return { kind: 'waits', visitId, said, authenticating }
}

const pending = ({ amountMinor }: Go, details: Said['details']): Said => ({
  status: 'pending',
  code: '000.200.000',
  amountMinor,
  details,
})

async function askAtOnce(gateway: Context, asked: Asked, device: Device): Promise<WayToIssuer> {
  const { call, channel, instrument, go, agreementId } = asked
  const { number, face, brand } = instrument
  if (!number) return direct
  const visitId = gateway.ids.random()
  const authenticating = await askIssuer(gateway, {
    visitId,
    call,
    channel,
    brand,
    number,
    holder: face.holder,
    expiryMonth: face.expiryMonth,
    expiryYear: face.expiryYear,
    amountMinor: go.amountMinor,
    currency: go.currency,
    device,
    prior: agreementId === undefined ? undefined : await priorOf(gateway, channel, agreementId),
  })
  const { outcome, reason, decoupledMinutes, cardholderInfo: told } = authenticating
  // In a browser the issuer's page is led to, and the wait for its word explained, by the page of ours.
  if (outcome === undefined && device.channel === '02') {
    return viaPage(gateway, asked, { visitId, authenticating })
  }
  if (outcome === undefined) {
    const ExtendedDescription = decoupledMinutes === undefined ? CHALLENGED : DECOUPLED
    const details = told === undefined ? { ExtendedDescription } : { ExtendedDescription, CardholderInfo: told }
    return { kind: 'waits', visitId, said: pending(go, details), authenticating }
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

/** What the SDK of an app needs to challenge the shopper, as the messages of EMV 3-D Secure call it. */
export function challengeOf(visitId: string | undefined, authenticating: Authenticating | undefined) {
  if (visitId === undefined || authenticating?.acsSignedContent === undefined) return undefined
  const { version, acsTransID, dsTransID, sdkTransID, acsReferenceNumber, acsSignedContent } = authenticating
  const threeDSServerTransID = uuidOf(visitId)
  const ids = { threeDSServerTransID, acsTransID, dsTransID, sdkTransID }
  return { messageVersion: version, ...ids, acsReferenceNumber, acsSignedContent }
}
