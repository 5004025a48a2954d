import { setImmediate } from 'node:timers/promises'
import { MINUTE_MS } from '@tollgate/contract'
import { openMemory, openPostgres } from '@tollgate/storage'
import { newDatabase, removeDatabase } from '@tollgate/storage/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sandboxIds } from '../directory/sandbox.ts'
import { cardPayment, type Receiver, subscribe, testGateway, type TestGateway } from '@tollgate/gateway/testing'
import { webhookTests } from '@tollgate/gateway/testing/webhook-tests'

const isLong = process.env['TOLLGATE_TEST_LONG'] === '1'
const isPostgres = process.env['TOLLGATE_TEST_STORAGE'] === 'postgres'

const setup = webhookTests()
const { createWebhook, createWebhookOf, pay, followUp, runDueJobs, fastForward, deliveriesOf, manage } = setup

const typesOf = ({ received }: Receiver) => received.map(({ json }) => json.payload.paymentType)
const sortedLines = (lines: readonly string[][]) => lines.map((line) => line.join(' ')).toSorted()
/** The ids of the received transactions without repetitions, one list for each preauthorisation and its follow-ups. */
function receivedByPayment({ received }: Receiver): readonly string[][] {
  const lines = new Map<string, string[]>()
  const payments = new Map<string, string>()
  for (const { json } of received) {
    const { id, referencedId } = json.payload
    const root = referencedId === undefined ? id : (payments.get(referencedId) ?? referencedId)
    payments.set(id, root)
    const line = lines.get(root) ?? []
    if (!line.includes(id)) line.push(id)
    lines.set(root, line)
  }
  return [...lines.values()]
}

/** Preauthorises, captures, and refunds in two parts, each at the next gateway. @returns the ids in this order */
async function payAndRefund(gateways: readonly TestGateway[], firstIndex: number): Promise<string[]> {
  const gatewayOf = (step: number) =>
    gateways[(firstIndex + step) % gateways.length] ?? Promise.reject(new Error('no gateway'))
  const step = async (index: number, path: string, form: Readonly<Record<string, string | undefined>>) => {
    const { status, body } = await (await gatewayOf(index)).send('POST', path, form)
    expect(status).toBe(200)
    return String(body.id)
  }
  const followUpAt = (index: number, id: string, paymentType: string, amount: string) =>
    step(index, `/v1/payments/${id}`, { paymentType, amount, currency: 'EUR' })
  const preauthorised = await step(0, '/v1/payments', cardPayment({ paymentType: 'PA', amount: '50.00' }))
  const captured = await followUpAt(1, preauthorised, 'CP', '50.00')
  const refunds = [await followUpAt(2, captured, 'RF', '10.00'), await followUpAt(3, captured, 'RF', '5.00')]
  return [preauthorised, captured, ...refunds]
}

/** Delays the answers by these numbers of turns of the event loop, in rotation. */
function answerAfter(receiver: Receiver, turns: readonly number[]): void {
  let answerCount = 0
  receiver.answer = async () => {
    answerCount += 1
    for (let left = turns[answerCount % turns.length] ?? 0; left > 0; left -= 1) await setImmediate()
    return { status: 200 }
  }
}

describe('the events of a payment are received in their order', () => {
  test('with any delays of the receiver', async () => {
    const { receiver } = await createWebhook()
    setup.gateway.jobs.start()
    const delays = fc.array(fc.nat({ max: 200 }), { minLength: 1, maxLength: 16 })
    await fc.assert(
      fc.asyncProperty(delays, fc.integer({ min: 1, max: 8 }), async (turns, payments) => {
        receiver.received.length = 0
        answerAfter(receiver, turns)
        const paid = await Promise.all(Array.from({ length: payments }, () => payAndRefund([setup.tollgate], 0)))
        await expect
          .poll(() => receivedByPayment(receiver).flat().length, { interval: 5, timeout: 20_000 })
          .toBe(4 * payments)
        expect(sortedLines(receivedByPayment(receiver))).toEqual(sortedLines(paid))
      }),
      { numRuns: isLong ? 12 : 4 },
    )
  }, 120_000)

  test('across a restart while the first delivery fails', async () => {
    const storage = openMemory()
    const first = await testGateway({ storage })
    const { receiver } = await createWebhookOf(first)
    receiver.answer = () => ({ status: 500 })
    const preauthorised = await first.send('POST', '/v1/payments', cardPayment({ paymentType: 'PA' }))
    await first.gateway.jobs.fastForward(first.gateway.clock.now())
    await first.send('POST', `/v1/payments/${preauthorised.body.id}`, { paymentType: 'RV' })
    await first.gateway.jobs.stop()
    const restarted = await testGateway({ storage, data: first.gateway.config.data })
    receiver.answer = () => ({ status: 200 })
    await restarted.gateway.jobs.fastForward(restarted.gateway.clock.now() + 30_000)
    expect(typesOf(receiver)).toEqual(['PA'])
    await restarted.gateway.jobs.fastForward(restarted.gateway.clock.now() + 2 * MINUTE_MS)
    expect(typesOf(receiver)).toEqual(['PA', 'PA', 'RV'])
    await restarted.close()
    await first.close()
  })

  test('across a restart while the first delivery is in flight', async () => {
    const storage = openMemory()
    const first = await testGateway({ storage })
    const { receiver } = await createWebhookOf(first)
    receiver.answer = () => new Promise(() => {})
    first.gateway.jobs.start()
    const preauthorised = await first.send('POST', '/v1/payments', cardPayment({ paymentType: 'PA' }))
    await expect.poll(() => typesOf(receiver)).toEqual(['PA'])
    await first.send('POST', `/v1/payments/${preauthorised.body.id}`, { paymentType: 'RV' })
    // The connections are closed, as if the process had been killed.
    await first.gateway.outgoing.close()
    await first.gateway.jobs.stop()
    receiver.answer = () => ({ status: 200 })
    const restarted = await testGateway({ storage, data: first.gateway.config.data })
    await restarted.gateway.jobs.fastForward(restarted.gateway.clock.now() + 2 * MINUTE_MS)
    expect(receivedByPayment(receiver)).toHaveLength(1)
    expect(typesOf(receiver).filter((type, index, all) => type !== all[index - 1])).toEqual(['PA', 'RV'])
    await restarted.close()
    await first.close()
  })

  test.runIf(isPostgres)(
    'from several processes with different clocks',
    async () => {
      const url = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
      const first = await testGateway({ storage: await openPostgres({ url }) })
      const { receiver } = await subscribe(first, { entityId: sandboxIds.channel })
      const second = await testGateway({ storage: await openPostgres({ url }), data: first.gateway.config.data })
      // The events of this process have lower ids than earlier events.
      second.clock.nowMs -= 300
      answerAfter(receiver, [0, 150, 50, 200, 15])
      const gateways = [first, second]
      for (const { gateway } of gateways) gateway.jobs.start()
      const paid = await Promise.all(Array.from({ length: 24 }, (_, index) => payAndRefund(gateways, index)))
      // The clocks stand still. A job that is not due by the slow clock is due by the other clock, so it is run there.
      await expect.poll(() => receivedByPayment(receiver).flat().length, { timeout: 30_000 }).toBe(96)
      expect(sortedLines(receivedByPayment(receiver))).toEqual(sortedLines(paid))
      await Promise.all(gateways.map(({ gateway }) => gateway.jobs.stop()))
      await receiver.close()
      await second.close()
      await first.close()
      await removeDatabase(url)
    },
    60_000,
  )
})

describe('in the delivery order of a payment', () => {
  test('a failed delivery delays only the later events of its payment', async () => {
    const { receiver, id } = await createWebhook()
    const { body: preauthorised } = await pay({ paymentType: 'PA', amount: '50.00' })
    receiver.answer = ({ json }) => ({ status: json.payload.paymentType === 'CP' ? 500 : 200 })
    await runDueJobs()
    await followUp(preauthorised.id, 'CP', '10.00')
    await followUp(preauthorised.id, 'CP', '10.00')
    await pay()
    await runDueJobs()
    expect(typesOf(receiver)).toEqual(['PA', 'CP', 'DB'])
    expect(await deliveriesOf(id, 'waiting')).toHaveLength(2)
    await fastForward(3 * MINUTE_MS)
    expect(new Set(receiver.received.map(({ json }) => json.payload.id)).size).toBe(3)
  })

  test('later events are delivered at once when an operator dead-letters the earlier delivery', async () => {
    const { receiver, id } = await createWebhook()
    const { body: preauthorised } = await pay({ paymentType: 'PA', amount: '50.00' })
    receiver.answer = ({ json }) => ({ status: json.payload.paymentType === 'PA' ? 500 : 200 })
    await runDueJobs()
    await followUp(preauthorised.id, 'CP', '10.00')
    await runDueJobs()
    expect(typesOf(receiver)).toEqual(['PA'])
    const waiting = await deliveriesOf(id, 'waiting')
    await manage('POST', `/deliveries/${waiting.at(-1).id}/park`)
    await runDueJobs()
    expect(typesOf(receiver)).toEqual(['PA', 'CP'])
  })

  test('all deliveries of a disabled webhook are dead-lettered', async () => {
    const { receiver, id } = await createWebhook()
    receiver.answer = () => ({ status: 500 })
    const { body: preauthorised } = await pay({ paymentType: 'PA', amount: '50.00' })
    await runDueJobs()
    await followUp(preauthorised.id, 'CP', '10.00')
    await runDueJobs()
    await manage('PATCH', `/webhooks/${id}`, { state: 'disabled' })
    await fastForward(2 * MINUTE_MS)
    expect(await deliveriesOf(id, 'parked')).toHaveLength(2)
  })

  test('replayed events keep their order and do not delay later events', async () => {
    const { receiver, id } = await createWebhook()
    const [preauthorised, ...followUps] = await payAndRefund([setup.tollgate], 0)
    await runDueJobs()
    const events = (await deliveriesOf(id)).map(({ eventId }: { readonly eventId: string }) => eventId)
    receiver.received.length = 0
    let failures = 1
    receiver.answer = ({ json }) => {
      if (json.payload.id !== preauthorised || failures === 0) return { status: 200 }
      failures -= 1
      return { status: 500 }
    }
    // The replay lists the events in another order.
    await manage('POST', `/webhooks/${id}/replay`, { eventIds: [events[0], events[3], events[1], events[2]] })
    await runDueJobs()
    expect(typesOf(receiver)).toEqual(['PA'])
    await followUp(followUps[0] ?? '', 'RF', '1.00')
    await runDueJobs()
    expect(typesOf(receiver)).toEqual(['PA', 'RF'])
    await fastForward(2 * MINUTE_MS)
    expect(typesOf(receiver)).toEqual(['PA', 'RF', 'PA', 'CP', 'RF', 'RF'])
  })
})
