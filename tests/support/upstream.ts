import type { UpstreamExchange, UpstreamReply, UpstreamRequest } from '@tollgate/connectors'
import { sandboxIds, sandboxToken } from '@tollgate/gateway'
import {
  cardPayment,
  createUpstream,
  createUpstreamExchange,
  type Parameters,
  type TestAnswer,
  type TestGateway,
  testGateway,
} from '@tollgate/gateway/testing'
import { type Body, bodyOf } from './http.ts'
import { authorization } from './payments.ts'
import type { GatewayProcess } from './process.ts'

// Tollgate behind Tollgate: the payments of one gateway are those of another, in a process of its own.

/** What becomes of a request to the upstream: it is lost, or its answer is, or there is no connection. */
export type UpstreamFault = 'requestLost' | 'answerLost' | 'notConnected'

/** A request to the upstream, with its form, which is erased later. */
interface SentRequest extends UpstreamRequest {
  readonly form: string
}

/** A gateway whose acquirer and redirect provider is another gateway. It listens, and its clock is that of the test. */
export interface DownstreamGateway extends TestGateway {
  /** The logged alerts: kind, transaction and field. */
  readonly alerts: () => readonly (readonly unknown[])[]
  readonly requests: readonly SentRequest[]
  /** The faults of the next requests that are posted, in their order. */
  readonly faults: UpstreamFault[]
  /** Replaces answers of the upstream. */
  change: (reply: UpstreamReply, request: UpstreamRequest) => UpstreamReply
  /** Restores answers, and removes faults that have not occurred. */
  readonly reset: () => void
  readonly pay: (changes?: Parameters) => Promise<TestAnswer>
  readonly read: (id: string) => Promise<TestAnswer>
  readonly followUp: (id: string, type: string, amount?: string, changes?: Parameters) => Promise<TestAnswer>
  /** The request that was posted last. */
  readonly lastPost: () => SentRequest
  readonly posts: () => readonly SentRequest[]
  /** Fast-forwards the clock, and runs the jobs that become due. */
  readonly fastForward: (ms: number) => Promise<void>
  /** A transaction as the upstream reports it. */
  readonly atUpstream: (answer: TestAnswer) => Promise<Body>
  /** Type, amount and code of the upstream's transactions under the reference of a request. */
  readonly bookedFor: (post: SentRequest) => Promise<readonly (readonly unknown[])[]>
}

/** Starts a gateway behind which another one is. @param upstream the other gateway */
export async function startDownstream(
  upstream: Pick<GatewayProcess, 'url' | 'client' | 'get'>,
  { environment = 'test' }: { readonly environment?: 'test' | 'live' } = {},
): Promise<DownstreamGateway> {
  const requests: SentRequest[] = []
  const faults: UpstreamFault[] = []
  const target = { baseUrl: upstream.url, environment: 'test' } as const
  const exchange = createUpstreamExchange(target)
  const faultyExchange: UpstreamExchange = {
    async send(request) {
      requests.push({ ...request, form: Buffer.from(request.body ?? []).toString() })
      const fault = request.method === 'POST' ? faults.shift() : undefined
      if (fault === 'notConnected') return { status: 0, body: '', sent: false, reason: 'the connection was refused' }
      if (fault === 'requestLost') return { status: 0, body: '', sent: true }
      const reply = downstream.change(await exchange.send(request), request)
      return fault === 'answerLost' ? { status: 0, body: '', sent: true } : reply
    },
    close: () => exchange.close(),
  }
  const connector = createUpstream(
    {
      ...target,
      environment,
      name: 'upstream',
      entityId: sandboxIds.channel,
      accessToken: () => sandboxToken,
      verificationCurrency: 'EUR',
    },
    // The parts of a gateway exist after its connector.
    {
      ids: { random: () => downstream.gateway.ids.random() },
      clock: { now: () => downstream.gateway.clock.now() },
      log: { error: (fields) => downstream.gateway.log.error(fields) },
    },
    faultyExchange,
  )
  const gateway = await testGateway({ connector, redirects: connector })
  gateway.gateway.pages.url = await gateway.server.listen({ host: '127.0.0.1', port: 0 })
  const posts = () => requests.filter(({ method }) => method === 'POST')
  const unchanged = (reply: UpstreamReply) => reply
  const downstream: DownstreamGateway = {
    ...gateway,
    alerts: () =>
      gateway.logged
        .filter(({ alert }) => alert !== undefined)
        .map(({ alert, transactionId, field }) => [alert, transactionId, field]),
    requests,
    faults,
    change: unchanged,
    reset() {
      downstream.change = unchanged
      faults.splice(0)
    },
    pay: (changes = {}) => gateway.send('POST', '/v1/payments', cardPayment(changes)),
    read: (id) => gateway.send('GET', `/v1/payments/${id}`),
    followUp: (id, paymentType, amount, changes = {}) =>
      gateway.send('POST', `/v1/payments/${id}`, { paymentType, amount, currency: amount && 'EUR', ...changes }),
    posts,
    lastPost() {
      const last = posts().at(-1)
      if (!last) throw new Error('nothing was posted')
      return last
    },
    async fastForward(ms) {
      const toMs = gateway.gateway.clock.now() + ms
      // On a slow machine the jobs exceed the time bound of one step.
      for (let step = 0; step < 5; step += 1) if ((await gateway.gateway.jobs.fastForward(toMs)).isComplete) return
    },
    atUpstream: async ({ body }) => bodyOf(await upstream.get(body.resultDetails.ConnectorTxID1)),
    async bookedFor({ form }) {
      const merchantTransactionId = new URLSearchParams(form).get('merchantTransactionId') ?? ''
      const query = new URLSearchParams({ entityId: sandboxIds.channel, merchantTransactionId }).toString()
      const answer = await upstream.client.send({ method: 'GET', path: `/v1/query?${query}`, headers: authorization })
      const payments: readonly Body[] = Object(bodyOf(answer)['payments'] ?? [])
      return payments.map(({ paymentType, amount, result }) => [paymentType, amount, result.code])
    },
    async close() {
      await connector.close?.()
      await gateway.close()
    },
  }
  return downstream
}
