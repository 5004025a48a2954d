import { afterEach, beforeEach } from 'vitest'
import { sandboxIds } from '@tollgate/operations'
import { cardPayment, type Parameters, type TestAnswer, testGateway, type TestGateway } from './test-gateway.ts'
import { type Receiver, startReceiver, subscribe, type SubscribedWebhook } from './webhook-receiver.ts'

/** The setup of tests of webhooks: a gateway for each test, and common actions. */
export interface WebhookTests extends Pick<TestGateway, 'gateway' | 'clock' | 'logged' | 'send' | 'manage'> {
  /** The gateway of this test. */
  readonly tollgate: TestGateway
  /** Creates an active webhook of the sandbox's channel. @param body the webhook's settings except its url */
  readonly createWebhook: (body?: object) => Promise<SubscribedWebhook>
  /** Starts a receiver without a webhook. */
  readonly startReceiver: () => Promise<Receiver>
  /** Creates a webhook of another gateway; its receiver is closed after the test. */
  readonly createWebhookOf: (other: TestGateway) => Promise<SubscribedWebhook>
  readonly pay: (changes?: Parameters) => Promise<TestAnswer>
  /** @param amount in euros */
  readonly followUp: (id: string, paymentType: string, amount: string) => Promise<TestAnswer>
  /** Runs the jobs that are due. */
  readonly runDueJobs: () => Promise<unknown>
  /** Advances the clock by milliseconds, and runs the jobs that become due. */
  readonly fastForward: (ms: number) => ReturnType<TestGateway['gateway']['jobs']['fastForward']>
  /** The deliveries of a webhook as the management API lists them. */
  readonly deliveriesOf: (webhookId: string, state?: string) => Promise<TestAnswer['body']>
}

/** Sets up a gateway before each test of a file, and closes it afterwards. The tests must run one after the other. */
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
  const closeAfterTest = <T extends { readonly receiver: Receiver }>(created: T): T => {
    receivers.push(created.receiver)
    return created
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
    createWebhook: async (body = {}) => closeAfterTest(await subscribe(tollgate, { entityId: channel, ...body })),
    startReceiver: async () => closeAfterTest({ receiver: await startReceiver() }).receiver,
    createWebhookOf: async (other) => closeAfterTest(await subscribe(other, { entityId: channel })),
    pay: (changes = {}) => tollgate.send('POST', '/v1/payments', cardPayment(changes)),
    followUp: (id, paymentType, amount) =>
      tollgate.send('POST', `/v1/payments/${id}`, { paymentType, amount, currency: 'EUR' }),
    runDueJobs: () => fastForward(0),
    fastForward,
    async deliveriesOf(webhookId, state) {
      const filter = state === undefined ? '' : `&state=${state}`
      return (await tollgate.manage('GET', `/deliveries?webhookId=${webhookId}${filter}`)).body.deliveries
    },
  }
}
