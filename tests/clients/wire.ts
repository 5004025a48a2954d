import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { sandboxIds, sandboxToken } from '@tollgate/gateway'
import { cleanUp } from '../support/process.ts'
import { type GatewayKind, startPublicGateway } from '../support/public-gateways.ts'

// This module sends HTTP requests as deployed clients do: paths and bodies are sent unchanged, and each request has a
// connection of its own.

/** The kinds of the sandbox's channels. */
export const channelKinds = ['strict', 'legacy', 'legacy with 3-D Secure'] as const

export type ChannelKind = (typeof channelKinds)[number]

export const entityOf: Readonly<Record<ChannelKind, string>> = {
  strict: sandboxIds.channel,
  legacy: sandboxIds.legacyChannel,
  'legacy with 3-D Secure': sandboxIds.secureLegacyChannel,
}

export type Fields = Readonly<Record<string, string>>

/** A request; the body is form data, as text or as fields whose names and values are escaped. */
export interface WireRequest {
  readonly body?: Fields | string
  /** The access token; '' for none. By default `startWire` sends the token of the sandbox, and `sendTo` sends none. */
  readonly token?: string
  readonly headers?: Fields
}

export interface WireAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** Undefined unless the answer is JSON. Its type omits that, because a test that reads a missing body fails. */
  readonly body: AnswerBody
}

/** The fields of answers that clients read. */
export interface AnswerBody {
  readonly id: string
  readonly registrationId: string
  readonly referencedId: string
  readonly paymentType: string
  readonly amount: string
  readonly currency: string
  readonly descriptor: string
  readonly integrity: string
  readonly ndc: string
  readonly redirect: { readonly url: string }
  readonly payments: readonly { readonly id: string }[]
  readonly records: readonly { readonly id: string }[]
  readonly result: {
    readonly code: string
    readonly description: string
    readonly parameterErrors?: readonly { readonly name: string; readonly value: string; readonly message: string }[]
  }
}

/** The URL to which the shopper returns. */
export const SHOP = 'https://shop.example/done?order=1'

/** A card that is not enrolled in 3-D Secure. */
export const card: Fields = {
  'card.number': '4200000000000000',
  'card.holder': 'Jane Jones',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  'card.cvv': '123',
}

/** A debit on a channel, with the shopperResultUrl if the channel requires 3-D Secure for every card. */
export const debit = (kind: ChannelKind): Fields => ({
  entityId: entityOf[kind],
  amount: '92.00',
  currency: 'EUR',
  paymentType: 'DB',
  paymentBrand: 'VISA',
  ...(kind === 'legacy with 3-D Secure' && { shopperResultUrl: SHOP }),
  ...card,
})

/** Sends a request to any address. */
export function sendTo(method: string, url: string, { body, token = '', headers }: WireRequest): Promise<WireAnswer> {
  const { hostname, port, origin } = new URL(url)
  const form = typeof body === 'object' ? new URLSearchParams(body).toString() : body
  const sentHeaders = {
    'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
    connection: 'close',
    ...(token !== '' && { authorization: `Bearer ${token}` }),
    ...(form !== undefined && { 'content-length': String(Buffer.byteLength(form)) }),
    ...headers,
  }
  const options = { hostname, port, method, path: url.slice(origin.length), headers: sentHeaders, agent: new Agent() }
  return new Promise((resolve, reject) => {
    const outgoing = request(options, (incoming) => {
      let text = ''
      incoming.setEncoding('utf8')
      incoming.on('data', (part) => (text += String(part)))
      incoming.on('end', () => {
        const isJson = String(incoming.headers['content-type']).startsWith('application/json')
        const { statusCode: status = 0, headers: received } = incoming
        resolve({ status, headers: received, text, body: isJson ? JSON.parse(text) : undefined })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(form)
  })
}

/** Functions that send requests to the gateway that was started last. Paths are appended to its address unchanged. */
export function createWire() {
  let url = ''
  const send = (method: string, path: string, { token = sandboxToken, ...rest }: WireRequest = {}) =>
    sendTo(method, url + path, { token, ...rest })
  return {
    async start(kind: GatewayKind): Promise<void> {
      url = (await startPublicGateway(kind)).gateway.url
    },
    send,
    get: (path: string, options?: WireRequest) => send('GET', path, options),
    post: (path: string, body: Fields | string, options?: WireRequest) => send('POST', path, { ...options, body }),
    close: cleanUp,
  }
}

/** Status, code, and the names of invalid parameters: `400 200.300.404 amount currency`. */
export const outcome = ({ status, body: { result } }: WireAnswer): string =>
  [status, result.code, ...(result.parameterErrors ?? []).map(({ name }) => name)].join(' ')
