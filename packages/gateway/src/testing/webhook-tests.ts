import { afterEach, beforeEach } from 'vitest'
import { sandboxIds } from '@tollgate/operations'
import { cardPayment, type Parameters, type TestAnswer, testGateway, type TestGateway } from './test-gateway.ts'
import { type Receiver, startReceiver, subscribe, type Subscribed } from './webhook-receiver.ts'

/** Setup of the tests about webhooks: a gateway for every test, and the common actions on it. */
export interface WebhookTests extends Pick<TestGateway, 'gateway' | 'clock' | 'logged' | 'send' | 'manage'> {
  /** The gateway of this test. */
  readonly tollgate: TestGateway
  /** A webhook of the sandbox's channel that is active. @param body of the registration, beside its url */
  readonly subscribed: (body?: object) => Promise<Subscribed>
  /** A receiver without a webhook. */
  readonly startedReceiver: () => Promise<Receiver>
  /** A webhook of another gateway; its receiver is closed after the test. */
  readonly subscribedTo: (other: TestGateway) => Promise<Subscribed>
  readonly pay: (changes?: Parameters) => Promise<TestAnswer>
  /** @param amount in euros */
  readonly refer: (id: string, paymentType: string, amount: string) => Promise<TestAnswer>
  /** Runs the jobs that are due. */
  readonly runDueJobs: () => Promise<unknown>
  /** Puts the clock forward, in milliseconds. */
  readonly fastForward: (ms: number) => ReturnType<TestGateway['gateway']['jobs']['fastForward']>
  /** As the management API lists them. */
  readonly deliveriesOf: (webhookId: string, state?: string) => Promise<TestAnswer['body']>
}

/** Sets a file up, whose tests run one after the other. */
export function webhookTests(): WebhookTests {
  let tollgate: TestGateway
  const receivers: Receiver[] = []
  beforeEach(async () => {
    tollgate = await testGateway()
  })
  afterEach(async () => {
    await tollgate.gateway.jobs.stop()
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
    await tollgate.close()
  })

  const { channel } = sandboxIds
  const follow = <T extends { readonly receiver: Receiver }>(made: T): T => {
    receivers.push(made.receiver)
    return made
  }
  const fastForward: WebhookTests['fastForward'] = (ms) =>
    tollgate.gateway.jobs.fastForward(tollgate.gateway.clock.now() + ms)
  return {
    get gateway() {
      return tollgate.gateway
    },
    get tollgate() {
      return tollgate
    },
    get clock() {
      return tollgate.clock
    },
    get logged() {
      return tollgate.logged
    },
    send: (...request) => tollgate.send(...request),
    manage: (...request) => tollgate.manage(...request),
    subscribed: async (body = {}) => follow(await subscribe(tollgate, { entityId: channel, ...body })),
    startedReceiver: async () => follow({ receiver: await startReceiver() }).receiver,
    subscribedTo: async (other) => follow(await subscribe(other, { entityId: channel })),
    pay: (changes = {}) => tollgate.send('POST', '/v1/payments', cardPayment(changes)),
    refer: (id, paymentType, amount) =>
      tollgate.send('POST', `/v1/payments/${id}`, { paymentType, amount, currency: 'EUR' }),
    runDueJobs: () => fastForward(0),
    fastForward,
    async deliveriesOf(webhookId, state) {
      const filter = state === undefined ? '' : `&state=${state}`
      return (await tollgate.manage('GET', `/deliveries?webhookId=${webhookId}${filter}`)).body.deliveries
    },
  }
}
