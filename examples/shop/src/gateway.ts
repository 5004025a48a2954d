import { limits } from './limits.ts'

/** The fields of the gateway's answers that a shop needs. A new version of the gateway may add fields. */
export interface GatewayAnswer {
  readonly id?: string
  readonly result: {
    readonly code: string
    readonly description: string
    /** The names of all missing or invalid parameters, with the expected format as the message. */
    readonly parameterErrors?: readonly { readonly name: string; readonly message: string }[]
  }
  readonly amount?: string
  readonly currency?: string
  readonly merchantTransactionId?: string
  /** Digest of the widget's script, in the answer to a checkout. */
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
  /** The default is POST. */
  readonly method?: 'GET' | 'POST'
  readonly parameters: readonly { readonly name: string; readonly value: string }[]
}

/** Parameters of a request. A parameter with the value undefined is not sent. */
export type Parameters = Readonly<Record<string, string | undefined>>

/** Client of the gateway's API. Its methods reject if there is no answer, or if the answer is malformed. */
export interface Gateway {
  /** @param idempotencyKey 1 to 255 characters. A request that is sent twice with the same key is executed once */
  post(path: string, parameters: Parameters, idempotencyKey: string): Promise<GatewayAnswer>
  get(path: string): Promise<GatewayAnswer>
  delete(path: string): Promise<GatewayAnswer>
}

interface RequestOptions {
  readonly body?: URLSearchParams
  readonly headers?: Readonly<Record<string, string>>
}

/** @param options.token the access token, which must never be sent to a browser */
export function createGateway({ url, entityId, token }: { url: string; entityId: string; token: string }): Gateway {
  async function send(method: string, path: string, options: RequestOptions = {}): Promise<GatewayAnswer> {
    const { body = null, headers = {} } = options
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, authorization: `Bearer ${token}` },
      body,
      signal: AbortSignal.timeout(limits.gatewayTimeoutMs),
    })
    // A declined payment has the status 400 and a body like any other answer, so the status is not evaluated.
    const answer: unknown = await response.json()
    if (!isAnswer(answer)) throw new TypeError(`the gateway answered ${response.status} without a result`)
    return answer
  }

  return {
    async post(path, parameters, idempotencyKey) {
      const fields = Object.entries({ entityId, ...parameters }).filter(
        (pair): pair is [string, string] => pair[1] !== undefined,
      )
      const options = { body: new URLSearchParams(fields), headers: { 'idempotency-key': idempotencyKey } }
      // Without an answer the payment may have been made. It is safe to send the request again with the same key.
      return send('POST', path, options).catch(() => send('POST', path, options))
    },
    get: (path) => send('GET', `${path}?entityId=${entityId}`),
    delete: (path) => send('DELETE', `${path}?entityId=${entityId}`),
  }
}

/** Whether a value is an answer of the gateway: every answer has a result code. */
export const isAnswer = (value: unknown): value is GatewayAnswer =>
  typeof value === 'object' &&
  value !== null &&
  'result' in value &&
  typeof value.result === 'object' &&
  value.result !== null &&
  'code' in value.result &&
  typeof value.result.code === 'string'
