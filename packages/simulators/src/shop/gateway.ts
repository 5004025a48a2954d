import { limits } from '../limits.ts'

/** What an answer of the gateway may hold, as far as a shop needs it. More may come with every version. */
export interface GatewayAnswer {
  readonly id?: string
  readonly result: {
    readonly code: string
    readonly description: string
    /** Every parameter that is wrong; values of secrets are masked. */
    readonly parameterErrors?: readonly { readonly name: string; readonly message: string }[]
  }
  readonly amount?: string
  readonly currency?: string
  readonly merchantTransactionId?: string
  /** Of a checkout: the digest of the widget's script. */
  readonly integrity?: string
  readonly registrationId?: string
  readonly paymentBrand?: string
  readonly card?: { readonly last4Digits?: string; readonly expiryMonth?: string; readonly expiryYear?: string }
  readonly bankAccount?: { readonly last4Digits?: string }
  readonly redirect?: Redirect
}

/** Where the shopper has to be sent. */
export interface Redirect {
  readonly url: string
  /** POST where it is missing. */
  readonly method?: 'GET' | 'POST'
  readonly parameters: readonly { readonly name: string; readonly value: string }[]
}

/** Parameters of a request; undefined ones are not sent. */
export type Parameters = Readonly<Record<string, string | undefined>>

/** The merchant's side of the gateway's API. Each rejects where there is no answer, or none that can be read. */
export interface Gateway {
  /** @param idempotencyKey a text of our own: the same request sent twice with the same key is carried out once */
  post(path: string, parameters: Parameters, idempotencyKey: string): Promise<GatewayAnswer>
  get(path: string): Promise<GatewayAnswer>
  delete(path: string): Promise<GatewayAnswer>
}

interface Sent {
  readonly body?: URLSearchParams
  readonly headers?: Readonly<Record<string, string>>
}

/** @param token stays on the server; `url` is where the gateway is, `entityId` the channel that pays */
export function createGateway({ url, entityId, token }: { url: string; entityId: string; token: string }): Gateway {
  async function send(method: string, path: string, more: Sent = {}): Promise<GatewayAnswer> {
    const { body = null, headers = {} } = more
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, authorization: `Bearer ${token}` },
      body,
      signal: AbortSignal.timeout(limits.gatewayTimeoutMs),
    })
    // Declined payments are HTTP 400, with a body like any other: what counts is `result.code`.
    const answer: unknown = await response.json()
    if (!isAnswer(answer)) throw new TypeError(`the gateway answered ${response.status} without a result`)
    return answer
  }

  return {
    async post(path, parameters, idempotencyKey) {
      const sent = Object.entries({ entityId, ...parameters }).filter(
        (pair): pair is [string, string] => pair[1] !== undefined,
      )
      const init = { body: new URLSearchParams(sent), headers: { 'idempotency-key': idempotencyKey } }
      // No answer does not mean that nothing happened. The key makes it safe to ask once more.
      return send('POST', path, init).catch(() => send('POST', path, init))
    },
    get: (path) => send('GET', `${path}?entityId=${entityId}`),
    delete: (path) => send('DELETE', `${path}?entityId=${entityId}`),
  }
}

const isAnswer = (value: unknown): value is GatewayAnswer =>
  typeof value === 'object' &&
  value !== null &&
  'result' in value &&
  typeof value.result === 'object' &&
  value.result !== null &&
  'code' in value.result &&
  typeof value.result.code === 'string'
