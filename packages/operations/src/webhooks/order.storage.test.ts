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

const shop = webhookTests()
const { createWebhook, createWebhookOf, pay, followUp, runDueJobs, fastForward, deliveriesOf, manage } = shop

const typesOf = ({ received }: Receiver) => received.map(({ json }) => json.payload.paymentType)
const sorted = (lines: readonly string[][]) => lines.map((line) => line.join(' ')).toSorted()
/** The first delivery of each event, by payment: a preauthorisation and the transactions that refer to it. */
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

/** Pays, captures and refunds twice, each at the next of the gateways. @returns the ids in their order */
async function payAndRefund(gateways: readonly TestGateway[], first: number): Promise<string[]> {
  const at = (step: number) => gateways[(first + step) % gateways.length] ?? Promise.reject(new Error('no gateway'))
  const step = async (index: number, path: string, form: Readonly<Record<string, string | undefined>>) => {
    const { status, body } = await (await at(index)).send('POST', path, form)
    expect(status).toBe(200)
    return String(body.id)
  }
  const follow = (index: number, id: string, paymentType: string, amount: string) =>
    step(index, `/v1/payments/${id}`, { paymentType, amount, currency: 'EUR' })
  const preauthorised = await step(0, '/v1/payments', cardPayment({ paymentType: 'PA', amount: '50.00' }))
  const captured = await follow(1, preauthorised, 'CP', '50.00')
  const refunds = [await follow(2, captured, 'RF', '10.00'), await follow(3, captured, 'RF', '5.00')]
  return [preauthorised, captured, ...refunds]
}

/** Delays each answer by the next of these numbers of turns of the event loop, repeatedly. */
function answerAfter(receiver: Receiver, turns: readonly number[]): void {
  let answered = 0
  receiver.answer = async () => {
    answered += 1
    for (let left = turns[answered % turns.length] ?? 0; left > 0; left -= 1) await setImmediate()
    return { status: 200 }
  }
}

describe('the events of a payment arrive in their order', () => {
  test('with any delays of the receiver', async () => {
    const { receiver } = await createWebhook()
    shop.gateway.jobs.start()
    const delays = fc.array(fc.nat({ max: 200 }), { minLength: 1, maxLength: 16 })
    await fc.assert(
      fc.asyncProperty(delays, fc.integer({ min: 1, max: 8 }), async (turns, payments) => {
        receiver.received.length = 0
        answerAfter(receiver, turns)
        const paid = await Promise.all(Array.from({ length: payments }, () => payAndRefund([shop.tollgate], 0)))
        await expect
          .poll(() => receivedByPayment(receiver).flat().length, { interval: 5, timeout: 20_000 })
          .toBe(4 * payments)
        expect(sorted(receivedByPayment(receiver))).toEqual(sorted(paid))
      }),
      { numRuns: isLong ? 12 : 4 },
    )
  }, 120_000)

  test('across a restart while the first delivery fails', async () => {
    const storage = openMemory()
    const before = await testGateway({ storage })
    const { receiver } = await createWebhookOf(before)
    receiver.answer = () => ({ status: 500 })
    const preauthorised = await before.send('POST', '/v1/payments', cardPayment({ paymentType: 'PA' }))
    await before.gateway.jobs.fastForward(before.gateway.clock.now())
    await before.send('POST', `/v1/payments/${preauthorised.body.id}`, { paymentType: 'RV' })
    await before.gateway.jobs.stop()
    const after = await testGateway({ storage, data: before.gateway.config.data })
    receiver.answer = () => ({ status: 200 })
    await after.gateway.jobs.fastForward(after.gateway.clock.now() + 30_000)
    expect(typesOf(receiver)).toEqual(['PA'])
    await after.gateway.jobs.fastForward(after.gateway.clock.now() + 2 * MINUTE_MS)
    expect(typesOf(receiver)).toEqual(['PA', 'PA', 'RV'])
    await after.close()
    await before.close()
  })

  test('across a restart while the first delivery is in flight', async () => {
    const storage = openMemory()
    const before = await testGateway({ storage })
    const { receiver } = await createWebhookOf(before)
    receiver.answer = () => new Promise(() => {})
    before.gateway.jobs.start()
    const preauthorised = await before.send('POST', '/v1/payments', cardPayment({ paymentType: 'PA' }))
    await expect.poll(() => typesOf(receiver)).toEqual(['PA'])
    await before.send('POST', `/v1/payments/${preauthorised.body.id}`, { paymentType: 'RV' })
    // The connections are closed, as if the process had been killed.
    await before.gateway.outgoing.close()
    await before.gateway.jobs.stop()
    receiver.answer = () => ({ status: 200 })
    const after = await testGateway({ storage, data: before.gateway.config.data })
    await after.gateway.jobs.fastForward(after.gateway.clock.now() + 2 * MINUTE_MS)
    expect(receivedByPayment(receiver)).toHaveLength(1)
    expect(typesOf(receiver).filter((type, index, all) => type !== all[index - 1])).toEqual(['PA', 'RV'])
    await after.close()
    await before.close()
  })

  test.runIf(isPostgres)(
    'from several processes with different clocks',
    async () => {
      const url = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
      const one = await testGateway({ storage: await openPostgres({ url }) })
      const { receiver } = await subscribe(one, { entityId: sandboxIds.channel })
      const other = await testGateway({ storage: await openPostgres({ url }), data: one.gateway.config.data })
      // The events of this process have lower ids than earlier events.
      other.clock.nowMs -= 300
      answerAfter(receiver, [0, 150, 50, 200, 15])
      const gateways = [one, other]
      for (const { gateway } of gateways) gateway.jobs.start()
      const paid = await Promise.all(Array.from({ length: 24 }, (_, index) => payAndRefund(gateways, index)))
      // A job that is not due by the slow clock is due by the other one.
      await expect.poll(() => receivedByPayment(receiver).flat().length, { timeout: 30_000 }).toBe(96)
      expect(sorted(receivedByPayment(receiver))).toEqual(sorted(paid))
      await Promise.all(gateways.map(({ gateway }) => gateway.jobs.stop()))
      await receiver.close()
      await other.close()
      await one.close()
      await removeDatabase(url)
    },
    60_000,
  )

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

  test('unless the webhook is disabled: then all deliveries are dead-lettered', async () => {
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

  test('a replay keeps the order, and does not delay later events', async () => {
    const { receiver, id } = await createWebhook()
    const [preauthorised, ...followUps] = await payAndRefund([shop.tollgate], 0)
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
