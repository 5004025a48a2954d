import { MINUTE_MS } from '@tollgate/contract'
import { closedBreaker, concurrentDeliveries } from '@tollgate/domain'
import { openMemory } from '@tollgate/storage'
import { describe, expect, test } from 'vitest'
import { cardPayment, testGateway } from '@tollgate/gateway/testing'
import { webhookTests } from '@tollgate/gateway/testing/webhook-tests'

/** The most deliveries in flight to a webhook that has not answered yet. */
const INITIAL_CONCURRENCY = concurrentDeliveries(closedBreaker, 0)
/** Consecutive failures that open the breaker of a webhook. */
const FAILURES = 5

const setup = webhookTests()
const { createWebhook, createWebhookOf, pay, followUp, runDueJobs, fastForward, deliveriesOf } = setup

describe('a webhook', () => {
  test('is paused after consecutive failures and then tried with one delivery', async () => {
    const { id, receiver } = await createWebhook()
    const advanceClock = (ms: number) => {
      setup.clock.nowMs += ms
      // Notifies the queue instead of waiting for its next tick.
      setup.gateway.jobs.notify('delivery', id)
    }
    const otherReceiver = (await createWebhook()).receiver
    let paid = 0
    const payAndCount = async () => {
      await pay()
      paid += 1
    }
    /** Pays, and waits for the delivery to the other webhook, which begins after deliveries to the first webhook. */
    const payAndAwaitOther = async () => {
      await payAndCount()
      await expect.poll(() => otherReceiver.received.length).toBe(paid)
    }
    const attempts = async () => {
      const deliveries: { attempts: number }[] = await deliveriesOf(id)
      return deliveries.reduce((sum, delivery) => sum + delivery.attempts, 0)
    }
    const failures: (() => void)[] = []
    receiver.answer = () => new Promise((resolve) => failures.push(() => resolve({ status: 500 })))
    for (let count = 0; count < 3 * INITIAL_CONCURRENCY; count += 1) await payAndCount()
    setup.gateway.jobs.start()
    await expect.poll(() => receiver.received.length).toBe(INITIAL_CONCURRENCY)
    // After each failure another delivery begins, except after the failure that opens the breaker.
    for (let failed = 1; failed < FAILURES; failed += 1) {
      failures.shift()?.()
      await expect.poll(() => receiver.received.length).toBe(INITIAL_CONCURRENCY + failed)
    }
    failures.shift()?.()
    await expect.poll(() => setup.gateway.webhooks.breakerOf(id)).toMatchObject({ doublings: 1 })
    for (const fail of failures.splice(0)) fail()
    const requests = INITIAL_CONCURRENCY + FAILURES - 1
    await expect.poll(attempts).toBe(requests)
    await payAndAwaitOther()
    expect(receiver.received.length).toBe(requests)

    advanceClock(2 * MINUTE_MS)
    await expect.poll(() => receiver.received.length).toBe(requests + 1)
    await payAndAwaitOther()
    expect(receiver.received.length).toBe(requests + 1)
    failures.shift()?.()
    await expect.poll(() => setup.gateway.webhooks.breakerOf(id)).toMatchObject({ doublings: 2 })
    await expect.poll(attempts).toBe(requests + 1)
    await payAndAwaitOther()
    expect(receiver.received.length).toBe(requests + 1)

    receiver.answer = () => ({ status: 200 })
    advanceClock(10 * MINUTE_MS)
    await expect.poll(async () => (await deliveriesOf(id, 'delivered')).length).toBe(paid)
    expect(receiver.received.length).toBe(requests + 1 + paid)
  })

  test('that never answers does not delay another webhook', async () => {
    const silent = await createWebhook()
    const responsive = await createWebhook()
    const ends: (() => void)[] = []
    silent.receiver.answer = () => new Promise((resolve) => ends.push(() => resolve({ status: 200 })))
    setup.gateway.jobs.start()
    for (let count = 0; count < 3 * INITIAL_CONCURRENCY; count += 1) await pay()
    await expect.poll(() => responsive.receiver.received.length, { timeout: 10_000 }).toBe(3 * INITIAL_CONCURRENCY)
    expect(silent.receiver.received.length).toBe(INITIAL_CONCURRENCY)
    await expect.poll(() => ends.length, { timeout: 10_000 }).toBe(INITIAL_CONCURRENCY)
    silent.receiver.answer = () => ({ status: 200 })
    for (const end of ends) end()
    await expect.poll(() => silent.receiver.received.length, { timeout: 10_000 }).toBe(3 * INITIAL_CONCURRENCY)
  }, 40_000)

  test('keeps its keys and its pending deliveries after a restart', async () => {
    const storage = openMemory()
    const first = await testGateway({ storage })
    const { id, receiver } = await createWebhookOf(first)
    const paid = [await first.send('POST', '/v1/payments', cardPayment())]
    const restarted = await testGateway({ storage, data: first.gateway.config.data })
    paid.push(await restarted.send('POST', '/v1/payments', cardPayment()))
    await restarted.gateway.jobs.fastForward(restarted.gateway.clock.now())
    const payloads = receiver.received.map(({ json }) => JSON.stringify(json.payload))
    expect(payloads.toSorted()).toEqual(paid.map(({ body }) => JSON.stringify(body)).toSorted())
    expect((await restarted.manage('GET', `/webhooks/${id}`)).body).toMatchObject({
      state: 'active',
      url: receiver.url,
    })
    await restarted.close()
    await first.close()
  })

  test('receives the events of one payment in order, and those of other payments in the meantime', async () => {
    const { receiver, id } = await createWebhook()
    const { body: preauthorised } = await pay({ paymentType: 'PA', amount: '50.00' })
    let failures = 2
    receiver.answer = ({ json }) => {
      if (json.payload.id !== preauthorised.id || failures === 0) return { status: 200 }
      failures -= 1
      return { status: 500 }
    }
    await runDueJobs()
    const captured = await followUp(preauthorised.id, 'CP', '20.00')
    const { body: other } = await pay()
    await runDueJobs()
    const receivedIds = () => receiver.received.map(({ json }) => json.payload.id)
    expect(receivedIds()).toEqual([preauthorised.id, other.id])
    await fastForward(10 * MINUTE_MS)
    expect(receivedIds()).toEqual([preauthorised.id, other.id, preauthorised.id, preauthorised.id, captured.body.id])
    expect((await deliveriesOf(id, 'delivered')).length).toBe(3)
  })

  test('receives later events of a payment although the delivery of an earlier event keeps failing', async () => {
    const { receiver } = await createWebhook()
    const { body: preauthorised } = await pay({ paymentType: 'PA', amount: '50.00' })
    receiver.answer = ({ json }) => ({ status: json.payload.id === preauthorised.id ? 500 : 200 })
    await runDueJobs()
    const captured = await followUp(preauthorised.id, 'CP', '20.00')
    const { entries } = await fastForward(20 * MINUTE_MS)
    const receivedIds = receiver.received.map(({ json }) => json.payload.id)
    expect(receivedIds.filter((id) => id === preauthorised.id).length).toBeGreaterThanOrEqual(4)
    expect(receivedIds).toContain(captured.body.id)
    const delivered = entries.find(({ outcome }) => outcome === 'delivered')
    expect((delivered?.atMs ?? Infinity) - setup.clock.nowMs).toBeLessThan(9 * MINUTE_MS)
  })

  test('receives a capture after the delivery of its preauthorisation, which is in flight', async () => {
    const { receiver } = await createWebhook()
    let completeDelivery = () => {}
    receiver.answer = ({ json }) =>
      json.payload.paymentType === 'PA'
        ? new Promise((resolve) => {
            completeDelivery = () => resolve({ status: 200 })
          })
        : { status: 200 }
    setup.gateway.jobs.start()
    const { body: preauthorised } = await pay({ paymentType: 'PA', amount: '50.00' })
    await expect.poll(() => receiver.received.length).toBe(1)
    await followUp(preauthorised.id, 'CP', '20.00')
    await pay()
    const receivedTypes = () => receiver.received.map(({ json }) => json.payload.paymentType)
    await expect.poll(receivedTypes).toEqual(['PA', 'DB'])
    completeDelivery()
    await expect.poll(receivedTypes, { timeout: 5_000 }).toEqual(['PA', 'DB', 'CP'])
  })
})
