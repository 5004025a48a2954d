import type { AcquirerRequest, RemoteConnector, ReversalAttempt } from '../../port.ts'
import { request } from '../../iso8583/requests/testing/requests.ts'
import { createUpstreamConnector, type UpstreamAlert } from '../connector.ts'
import type { UpstreamReply, UpstreamRequest } from '../exchange.ts'

/** The id of the first payment at the upstream. */
export const upstreamId = '8ac7a4a1000000000000000000000001'

/** A request that the upstream has received, with a copy of its form. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string>>
  readonly form: URLSearchParams
  /** The bytes of the form, which the connector erases. */
  readonly body: Uint8Array | undefined
}

type Reply = Partial<UpstreamReply> & { readonly json?: object }

export interface RecordingUpstream {
  readonly connector: RemoteConnector
  readonly received: readonly ReceivedRequest[]
  readonly alerts: readonly UpstreamAlert[]
  nowMs: number
  /** Sends a request with new references. */
  readonly send: (sent: AcquirerRequest) => ReturnType<RemoteConnector['send']>
  /** Reverses a request whose references were drawn at `nowMs`. */
  readonly attempt: (isRepeat?: boolean) => ReversalAttempt
}

/** The fields of an approved payment in answers. */
export const approvedJson = (changes: object = {}): object => ({
  id: upstreamId,
  paymentType: 'PA',
  paymentBrand: 'VISA',
  amount: '92.00',
  currency: 'EUR',
  result: { code: '000.000.000', description: 'Transaction approved' },
  ...changes,
})

export const NOTHING_FOUND: Reply = { status: 404, json: { result: { code: '700.400.580' } } }

/** A connector, and an upstream that records requests and answers as the test decides. */
export function recordingUpstream(
  reply: (received: ReceivedRequest, index: number) => Reply,
  environment: 'test' | 'live' = 'test',
): RecordingUpstream {
  const received: ReceivedRequest[] = []
  const alerts: UpstreamAlert[] = []
  let ids = 0
  const upstream: RecordingUpstream = {
    received,
    alerts,
    nowMs: 1_000_000,
    connector: createUpstreamConnector({
      name: 'provider',
      baseUrl: 'https://pay.example/base',
      entityId: '8a8294174b7ecb28014b9699220015ca',
      accessToken: () => 'token',
      environment,
      verificationCurrency: 'CHF',
      newId: () => `attempt${++ids}`,
      now: () => upstream.nowMs,
      onAlert: (alert) => void alerts.push(alert),
      exchange: {
        async send(sent: UpstreamRequest) {
          const url = new URL(sent.url)
          const path = url.origin + url.pathname
          const form = new URLSearchParams(Buffer.from(sent.body ?? []).toString())
          const one = { ...sent, path, query: url.searchParams, form, body: sent.body }
          received.push(one)
          const { json, ...raw } = reply(one, received.length - 1)
          return { status: 200, body: json ? JSON.stringify(json) : '', sent: true, ...raw }
        },
        close: async () => undefined,
      },
    }),
    send: async (sent) => upstream.connector.send(sent, await upstream.connector.references?.(sent)),
    attempt: (isRepeat = false) => ({
      sentAs: JSON.stringify({ reference: 'request-1', atMs: upstream.nowMs }),
      reversalSentAs: JSON.stringify({ reference: 'reversal-1', atMs: upstream.nowMs }),
      isRepeat,
    }),
  }
  return upstream
}

/** A follow-up of a payment of 92.00 EUR. */
export const followUp = (
  operation: AcquirerRequest['operation'],
  changes: Partial<AcquirerRequest> = {},
): AcquirerRequest =>
  request({
    operation,
    account: undefined,
    original: { transactionId: 'original', references: [upstreamId], amountMinor: 9200 },
    ...changes,
  })
