import { encodeForm, type FormPair } from './encode-form.ts'
import type { UpstreamExchange, UpstreamReply, UpstreamRequest } from './exchange.ts'
import { readPayment, readPayments, type UpstreamPayment } from './payment-json.ts'

/** Access to the upstream gateway. */
export interface UpstreamAccess {
  /** The base URL without a slash at its end and without the version, such as `https://pay.example`. */
  readonly baseUrl: string
  readonly entityId: string
  /** Reads the current access token, which may be rotated. */
  readonly accessToken: () => string
  readonly exchange: UpstreamExchange
}

/** The requests of the public contract that the connector sends. */
export interface UpstreamClient {
  /** @param key the `Idempotency-Key`: an upstream that knows it carries the request out once */
  post(path: string, pairs: readonly FormPair[], key?: string): Promise<UpstreamReply>
  /** Reads a payment by its id. */
  read(id: string): Promise<UpstreamReply>
  /**
   * Finds the payments under a reference.
   *
   * @returns none: the upstream has none now; undefined: no answer, or a malformed one
   */
  find(reference: string): Promise<readonly UpstreamPayment[] | undefined>
}

/** "Queries for nothing: 404, 700.400.580" (interop). */
const NOTHING_FOUND = '700.400.580'

export function createUpstreamClient({ baseUrl, entityId, accessToken, exchange }: UpstreamAccess): UpstreamClient {
  const send = (method: UpstreamRequest['method'], path: string, more: Partial<UpstreamRequest> = {}) => {
    const headers = { accept: 'application/json', authorization: `Bearer ${accessToken()}`, ...more.headers }
    return exchange.send({ ...more, method, url: `${baseUrl}${path}`, headers })
  }
  const get = (path: string, query: Readonly<Record<string, string>>) =>
    send('GET', `${path}?${new URLSearchParams({ entityId, ...query }).toString()}`)

  return {
    async post(path, pairs, key) {
      const headers = { 'content-type': FORM, ...(key !== undefined && { 'idempotency-key': key }) }
      const body = encodeForm(pairs)
      try {
        return await send('POST', path, { headers, body })
      } finally {
        body.fill(0)
      }
    },
    read: (id) => get(`/v1/payments/${encodeURIComponent(id)}`, {}),
    async find(reference) {
      const { status, body } = await get('/v1/query', { merchantTransactionId: reference })
      if (status === 404) return readPayment(body)?.code === NOTHING_FOUND ? [] : undefined
      const payments = status === 200 ? readPayments(body) : undefined
      const isOther = ({ merchantTransactionId: found }: UpstreamPayment) => found !== undefined && found !== reference
      return payments?.some(isOther) ? undefined : payments
    },
  }
}

const FORM = 'application/x-www-form-urlencoded; charset=UTF-8'
