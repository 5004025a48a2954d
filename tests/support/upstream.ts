import { createCipheriv, randomBytes } from 'node:crypto'
import { sandboxIds } from '@tollgate/gateway'
import { cardPayment, type Parameters, type TestAnswer, type TestGateway, testGateway } from '@tollgate/gateway/testing'
import { type Body, bodyOf } from './http.ts'
import { authorization } from './payments.ts'
import type { GatewayProcess } from './process.ts'
import { NOTIFICATIONS, providerConnector, providerRoutes } from './public-gateways.ts'
import { type SentRequest, startUpstreamProxy, type UpstreamProxy } from './upstream-proxy.ts'

// Tollgate behind Tollgate: the payments of one gateway are those of another, in a process of its own.

/**
 * A gateway whose payments are sent to another gateway, by a proxy with faults. It listens, and its clock is that of
 * the test.
 */
export interface DownstreamGateway extends TestGateway {
  readonly proxy: UpstreamProxy
  /** The logged alerts: kind, transaction and field. */
  readonly alerts: () => readonly (readonly unknown[])[]
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
  /** Sends the notification of the upstream about a request. @returns the status */
  readonly notifyOf: (post: SentRequest) => Promise<number>
}

/** The `merchantTransactionId` of a request. */
const referenceOf = ({ form }: SentRequest): string => new URLSearchParams(form).get('merchantTransactionId') ?? ''

/** Starts a gateway, and connects it to another one as an operator does. @param upstream the other gateway */
export async function startDownstream(
  upstream: Pick<GatewayProcess, 'url' | 'client' | 'get'>,
): Promise<DownstreamGateway> {
  const [proxy, gateway] = await Promise.all([startUpstreamProxy(upstream.url), testGateway()])
  gateway.gateway.pages.url = await gateway.server.listen({ host: '127.0.0.1', port: 0 })
  const notificationKey = randomBytes(32).toString('hex')
  const managed = [
    await gateway.manage('POST', '/connectors', providerConnector(proxy.url, notificationKey)),
    await gateway.manage('PUT', `/entities/${sandboxIds.merchant}/routes`, providerRoutes),
  ]
  const refused = managed.find(({ status }) => status >= 300)
  if (refused) throw new Error(`the upstream could not be set up: ${refused.text}`)

  const posts = () => proxy.requests.filter(({ method }) => method === 'POST')
  return {
    ...gateway,
    proxy,
    alerts: () =>
      gateway.logged
        .filter(({ alert }) => alert !== undefined)
        .map(({ alert, transactionId, field }) => [alert, transactionId, field]),
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
    async bookedFor(post) {
      const filter = { entityId: sandboxIds.channel, merchantTransactionId: referenceOf(post) }
      const path = `/v1/query?${new URLSearchParams(filter).toString()}`
      const answer = await upstream.client.send({ method: 'GET', path, headers: authorization })
      const payments: readonly Body[] = Object(bodyOf(answer)['payments'] ?? [])
      return payments.map(({ paymentType, amount, result }) => [paymentType, amount, result.code])
    },
    async notifyOf(post) {
      const notification = encryptedNotification(notificationKey, referenceOf(post))
      return (await gateway.server.inject({ method: 'POST', url: NOTIFICATIONS, ...notification })).statusCode
    },
    async close() {
      await gateway.gateway.connectors.close()
      await Promise.all([gateway.close(), proxy.close()])
    },
  }
}

/** A notification about the payment with a reference, encrypted as in the contract (AES-256-GCM). */
function encryptedNotification(keyHex: string, merchantTransactionId: string) {
  const vector = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(keyHex, 'hex'), vector)
  const text = JSON.stringify({ type: 'PAYMENT', action: 'UPDATED', payload: { merchantTransactionId } })
  const payload = Buffer.concat([cipher.update(text), cipher.final()]).toString('hex')
  const headers = {
    'content-type': 'text/plain',
    'x-initialization-vector': vector.toString('hex'),
    'x-authentication-tag': cipher.getAuthTag().toString('hex'),
  }
  return { headers, payload }
}
