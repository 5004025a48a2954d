import { limits } from './limits.ts'

/** Fields of the gateway's answers that a shop needs. Every version may add more. */
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
  /** Digest of the widget's script; only of a checkout. */
  readonly integrity?: string
  readonly registrationId?: string
  readonly paymentBrand?: string
  readonly card?: { readonly last4Digits?: string; readonly expiryMonth?: string; readonly expiryYear?: string }
  readonly bankAccount?: { readonly last4Digits?: string }
  readonly redirect?: Redirect
}

/** The page to which the shopper is redirected. */
export interface Redirect {
  readonly url: string
  /** POST if missing. */
  readonly method?: 'GET' | 'POST'
  readonly parameters: readonly { readonly name: string; readonly value: string }[]
}

/** Parameters of a request; undefined ones are not sent. */
export type Parameters = Readonly<Record<string, string | undefined>>

/** Client of the gateway's API. Each request rejects without an answer, or with an answer that cannot be read. */
export interface Gateway {
  /** @param idempotencyKey any text: a request that is sent twice with one key is carried out once */
  post(path: string, parameters: Parameters, idempotencyKey: string): Promise<GatewayAnswer>
  get(path: string): Promise<GatewayAnswer>
  delete(path: string): Promise<GatewayAnswer>
}

interface Sent {
  readonly body?: URLSearchParams
  readonly headers?: Readonly<Record<string, string>>
}

/** @param options.token known to the server only */
export function createGateway({ url, entityId, token }: { url: string; entityId: string; token: string }): Gateway {
  async function send(method: string, path: string, more: Sent = {}): Promise<GatewayAnswer> {
    const { body = null, headers = {} } = more
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, authorization: `Bearer ${token}` },
      body,
      signal: AbortSignal.timeout(limits.gatewayTimeoutMs),
    })
    // A declined payment is HTTP 400 with a body like any other: `result.code` decides.
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
      // The payment may have been made although there is no answer. With the same key, the request can be sent again
      // safely.
      return send('POST', path, init).catch(() => send('POST', path, init))
    },
    get: (path) => send('GET', `${path}?entityId=${entityId}`),
    delete: (path) => send('DELETE', `${path}?entityId=${entityId}`),
  }
}

/** Whether a value has a result. */
export const isAnswer = (value: unknown): value is GatewayAnswer =>
  typeof value === 'object' &&
  value !== null &&
  'result' in value &&
  typeof value.result === 'object' &&
  value.result !== null &&
  'code' in value.result &&
  typeof value.result.code === 'string'
