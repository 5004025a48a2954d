import { DAY_MS, MINUTE_MS } from '@tollgate/contract'
import { describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { sandboxIds } from '../directory/sandbox.ts'
import { webhookTests } from '@tollgate/gateway/testing/webhook-tests'
import { deliveryJob } from './new-delivery.ts'

const { channel } = sandboxIds

const setup = webhookTests()
const { createWebhook, pay, runDueJobs, fastForward, deliveriesOf, manage } = setup

describe('a delivery that fails', () => {
  test('is retried by the schedule, with every attempt stored, and kept for an operator to retry', async () => {
    const { id, receiver } = await createWebhook()
    receiver.answer = () => ({ status: 500, body: 'x'.repeat(5_000) })
    await pay()
    const startMs = setup.gateway.clock.now()
    const { entries } = await fastForward(60 * DAY_MS)
    const deliveries = entries.filter(({ kind }) => kind === 'delivery')
    expect(deliveries.map(({ outcome }) => outcome)).toEqual([
      ...Array.from({ length: 36 }, () => 'failed: HTTP 500'),
      'dead-lettered: HTTP 500',
    ])
    const waits = deliveries.slice(1).map(({ atMs }, index) => (atMs - (deliveries[index]?.atMs ?? 0)) / MINUTE_MS)
    const plannedWaits = [1, 2, 4, 8, 15, 30, 60, ...Array.from({ length: 29 }, () => 1440)]
    for (const [index, wait] of waits.entries()) {
      expect(wait / (plannedWaits[index] ?? 0)).toBeGreaterThanOrEqual(0.9)
      expect(wait / (plannedWaits[index] ?? 0)).toBeLessThanOrEqual(1.1)
    }
    expect(new Set(waits.map((wait, index) => wait / (plannedWaits[index] ?? 0))).size).toBeGreaterThan(30)
    expect(deliveries[0]?.atMs).toBe(startMs)

    const [deadLettered] = (await manage('GET', '/deliveries?state=parked')).body.deliveries
    expect(deadLettered).toMatchObject({ webhookId: id, state: 'parked', attempts: 37, lastError: 'HTTP 500' })
    const { body } = await manage('GET', `/deliveries/${deadLettered.id}`)
    expect(body.attemptsMade.length).toBe(37)
    expect(body.attemptsMade[36]).toMatchObject({ number: 37, httpStatus: 500, error: 'HTTP 500' })
    expect(body.attemptsMade[0].answer).toBe('x'.repeat(limits.webhookResponseChars))
    expect(body.event).toMatchObject({ type: 'PAYMENT', entityId: channel })

    receiver.answer = () => ({ status: 200 })
    expect((await manage('POST', `/deliveries/${deadLettered.id}/retry`)).body).toMatchObject({ state: 'waiting' })
    await runDueJobs()
    const { body: delivered } = await manage('GET', `/deliveries/${deadLettered.id}`)
    expect([delivered.state, delivered.attemptsMade.length]).toEqual(['delivered', 38])
    expect((await manage('POST', `/deliveries/${deadLettered.id}/retry`)).status).toBe(409)
  })

  test.each([
    { label: 'a redirect', status: 302, headers: { location: '/elsewhere' } },
    { label: 'a client error', status: 404, headers: {} },
  ])('with $label waits for a retry, and no redirect is followed', async ({ status, headers }) => {
    const { id, receiver } = await createWebhook()
    receiver.answer = () => ({ status, headers })
    await pay()
    await runDueJobs()
    expect(receiver.requests).toBe(2)
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'waiting', attempts: 1, lastError: `HTTP ${status}` }])
  })

  test('is due again at the time of Retry-After, and the webhook is paused until then', async () => {
    const { id, receiver } = await createWebhook()
    receiver.answer = () => ({ status: 503, headers: { 'retry-after': '500' } })
    await pay()
    await runDueJobs()
    const [{ dueAt }] = await deliveriesOf(id)
    expect(Date.parse(dueAt) - setup.gateway.clock.now()).toBe(500_000)
    const kind = setup.gateway.jobs.kinds().find(({ name }) => name === 'delivery')
    expect(kind?.concurrency(id)).toBe(0)
    setup.clock.nowMs += 500_000
    expect(kind?.concurrency(id)).toBe(1)
  })

  test('because of a closed port is stored with the reason', async () => {
    const { id, receiver } = await createWebhook()
    await receiver.close()
    await pay()
    await runDueJobs()
    const [delivery] = await deliveriesOf(id, 'waiting')
    const { body } = await manage('GET', `/deliveries/${delivery.id}`)
    expect(body.attemptsMade).toMatchObject([{ number: 1, error: 'failed: the connection was refused', answer: '' }])
    expect(body.attemptsMade[0]).not.toHaveProperty('httpStatus')
  })

  test('with status 410 disables the webhook, dead-letters its pending deliveries and stops new ones', async () => {
    const { id, receiver } = await createWebhook()
    receiver.answer = () => ({ status: 410 })
    await pay()
    await pay()
    await runDueJobs()
    expect(receiver.received.length).toBe(1)
    expect((await manage('GET', `/webhooks/${id}`)).body.state).toBe('disabled')
    expect(
      (await deliveriesOf(id, 'parked')).map(({ lastError }: { lastError: string }) => lastError).toSorted(),
    ).toEqual(['HTTP 410', 'the webhook is not active'])
    await pay()
    expect((await deliveriesOf(id)).length).toBe(2)
    receiver.answer = () => ({ status: 200 })
    expect((await manage('POST', `/webhooks/${id}/test`)).body.webhook.state).toBe('active')
    await pay()
    await runDueJobs()
    expect(receiver.received.length).toBe(2)
  })
})

describe('the record of an attempt', () => {
  test('an answer is stored without NUL and without half of a surrogate pair', async () => {
    const { id, receiver } = await createWebhook()
    receiver.answer = () => ({ status: 500, body: `a\0${'b'.repeat(997)}😀` })
    await pay()
    await runDueJobs()
    const [delivery] = await deliveriesOf(id)
    const { body } = await manage('GET', `/deliveries/${delivery.id}`)
    expect(body.attemptsMade).toMatchObject([{ number: 1, answer: `a\uFFFD${'b'.repeat(997)}` }])
  })

  test('attempts are numbered consecutively across retries by an operator', async () => {
    const { id, receiver } = await createWebhook()
    receiver.answer = () => ({ status: 500 })
    await pay()
    await runDueJobs()
    const [delivery] = await deliveriesOf(id)
    for (let count = 0; count < 2; count += 1) {
      await manage('POST', `/deliveries/${delivery.id}/retry`)
      await runDueJobs()
    }
    const { body } = await manage('GET', `/deliveries/${delivery.id}`)
    expect(body.attemptsMade).toMatchObject([{ number: 1 }, { number: 2 }, { number: 3 }])
  })
})

describe('a long event', () => {
  test.each([
    { wrapper: 'text', chars: 1_048_576, state: 'delivered' },
    { wrapper: 'text', chars: 1_048_577, state: 'parked' },
    { wrapper: 'json', chars: 1_048_566, state: 'delivered' },
    { wrapper: 'json', chars: 1_048_567, state: 'parked' },
  ])('of $chars characters with the wrapper $wrapper is $state', async ({ wrapper, chars, state }) => {
    const { id, receiver } = await createWebhook({ wrapper })
    await pay()
    await runDueJobs()
    const [first] = receiver.received
    const [delivery] = await deliveriesOf(id)
    const event = await setup.gateway.storage.event(delivery.eventId)
    if (!first || !event) throw new Error('the payment has no delivery')
    const payload = event.payload.replace(/}$/, `,"more":"${'x'.repeat(chars - first.text.length - 10)}"}`)
    const longerEvent = { ...event, id: 'f'.repeat(32), payload }
    const rows = {
      event: [longerEvent],
      job: [deliveryJob(longerEvent, id, { id: 'e'.repeat(32), atMs: event.created_at_ms, place: 0 })],
    }
    await setup.gateway.storage.commit({ id: 'longer', expectedVersions: [], rows })
    await runDueJobs()
    const { body } = await manage('GET', `/deliveries/${'e'.repeat(32)}`)
    expect(body.state).toBe(state)
    if (state === 'delivered') expect(receiver.received[1]?.text).toHaveLength(chars)
    else expect(body).toMatchObject({ attempts: 0, attemptsMade: [], lastError: expect.stringContaining('2097152') })
    expect(setup.gateway.webhooks.breakerOf(id)).toMatchObject({ kind: 'closed', failures: 0 })
  })

  test('about a payment with 1,000 cart items, each with its texts and totals, is delivered', async () => {
    const { id, receiver } = await createWebhook()
    await pay()
    await runDueJobs()
    const [delivery] = await deliveriesOf(id)
    const event = await setup.gateway.storage.event(delivery.eventId)
    if (!event) throw new Error('the payment has no delivery')
    const amounts = { price: '123456.78', tax: '19.00', taxAmount: '12345.67', totalAmount: '1234567.80' }
    const items = Array.from({ length: 1_000 }, (_, index) => ({
      name: `Item ${index} ${'n'.repeat(90)}`,
      merchantItemId: `${index}`.padStart(40, '0'),
      quantity: '10',
      ...amounts,
      totalTaxAmount: '123456.70',
      description: 'ü'.repeat(100),
    }))
    const form = items.flatMap((item, index) =>
      Object.entries(item).map(([name, value]) => `cart.items[${index}].${name}=${encodeURIComponent(value)}`),
    )
    expect(form.join('&').length).toBeGreaterThan(950_000)
    const payload = JSON.stringify({ ...JSON.parse(event.payload), cart: { items } })
    const largeEvent = { ...event, id: 'f'.repeat(32), payload }
    const rows = {
      event: [largeEvent],
      job: [deliveryJob(largeEvent, id, { id: 'e'.repeat(32), atMs: event.created_at_ms, place: 0 })],
    }
    await setup.gateway.storage.commit({ id: 'large', expectedVersions: [], rows })
    await runDueJobs()
    expect(await deliveriesOf(id, 'parked')).toEqual([])
    expect(receiver.received[1]?.json.payload).toEqual(JSON.parse(payload))
  })
})
