import { MINUTE_MS } from '@tollgate/contract'
import { closedBreaker, concurrentDeliveries } from '@tollgate/domain'
import { openMemory } from '@tollgate/storage'
import { describe, expect, test } from 'vitest'
import { cardPayment, testGateway } from '@tollgate/gateway/testing'
import { webhookTests } from '@tollgate/gateway/testing/webhook-tests'

/** Deliveries under way to a webhook of which nothing is known. */
const AT_FIRST = concurrentDeliveries(closedBreaker, 0)
/** Failures in a row that open the breaker of a webhook. */
const FAILURES = 5

const shop = webhookTests()
const { subscribed, subscribedTo, pay, refer, runDueJobs, fastForward, deliveriesOf } = shop

describe('a webhook at work', () => {
  test('is left alone after failures in a row, and asked once whether it is back', async () => {
    const { id, receiver } = await subscribed()
    const later = (ms: number) => {
      shop.clock.nowMs += ms
      // Rather than to wait for its next tick.
      shop.gateway.jobs.notify('delivery', id)
    }
    const elsewhere = (await subscribed()).receiver
    let paid = 0
    const payMore = async () => {
      await pay()
      paid += 1
    }
    /** Pays, and waits for the delivery to the other webhook: a delivery to this one would have begun before. */
    const payAndTell = async () => {
      await payMore()
      await expect.poll(() => elsewhere.received.length).toBe(paid)
    }
    const attempts = async () => {
      const all: { attempts: number }[] = await deliveriesOf(id)
      return all.reduce((sum, each) => sum + each.attempts, 0)
    }
    const failures: (() => void)[] = []
    receiver.answer = () => new Promise((resolve) => failures.push(() => resolve({ status: 500 })))
    for (let count = 0; count < 3 * AT_FIRST; count += 1) await payMore()
    shop.gateway.jobs.start()
    await expect.poll(() => receiver.received.length).toBe(AT_FIRST)
    // In the place of each that fails another begins, but for the one that opens the breaker.
    for (let failed = 1; failed < FAILURES; failed += 1) {
      failures.shift()?.()
      await expect.poll(() => receiver.received.length).toBe(AT_FIRST + failed)
    }
    failures.shift()?.()
    await expect.poll(() => shop.gateway.webhooks.breakerOf(id)).toMatchObject({ openings: 1 })
    for (const fail of failures.splice(0)) fail()
    const asked = AT_FIRST + FAILURES - 1
    await expect.poll(attempts).toBe(asked)
    await payAndTell()
    expect(receiver.received.length).toBe(asked)

    later(2 * MINUTE_MS)
    await expect.poll(() => receiver.received.length).toBe(asked + 1)
    await payAndTell()
    expect(receiver.received.length).toBe(asked + 1)
    failures.shift()?.()
    await expect.poll(() => shop.gateway.webhooks.breakerOf(id)).toMatchObject({ openings: 2 })
    await expect.poll(attempts).toBe(asked + 1)
    await payAndTell()
    expect(receiver.received.length).toBe(asked + 1)

    receiver.answer = () => ({ status: 200 })
    later(10 * MINUTE_MS)
    await expect.poll(async () => (await deliveriesOf(id, 'delivered')).length).toBe(paid)
    expect(receiver.received.length).toBe(asked + 1 + paid)
  })

  test('that never answers delays no other', async () => {
    const dead = await subscribed()
    const alive = await subscribed()
    const ends: (() => void)[] = []
    dead.receiver.answer = () => new Promise((resolve) => ends.push(() => resolve({ status: 200 })))
    shop.gateway.jobs.start()
    for (let count = 0; count < 3 * AT_FIRST; count += 1) await pay()
    await expect.poll(() => alive.receiver.received.length, { timeout: 10_000 }).toBe(3 * AT_FIRST)
    expect(dead.receiver.received.length).toBe(AT_FIRST)
    await expect.poll(() => ends.length, { timeout: 10_000 }).toBe(AT_FIRST)
    dead.receiver.answer = () => ({ status: 200 })
    for (const end of ends) end()
    await expect.poll(() => dead.receiver.received.length, { timeout: 10_000 }).toBe(3 * AT_FIRST)
  }, 40_000)

  test('outlives the process: its keys, and what waits for it', async () => {
    const storage = openMemory()
    const before = await testGateway({ storage })
    const { id, receiver } = await subscribedTo(before)
    const paid = [await before.send('POST', '/v1/payments', cardPayment())]
    const after = await testGateway({ storage, data: before.gateway.config.data })
    paid.push(await after.send('POST', '/v1/payments', cardPayment()))
    await after.gateway.jobs.fastForward(after.gateway.clock.now())
    const heard = receiver.received.map(({ json }) => JSON.stringify(json.payload))
    expect(heard.toSorted()).toEqual(paid.map(({ body }) => JSON.stringify(body)).toSorted())
    expect((await after.manage('GET', `/webhooks/${id}`)).body).toMatchObject({ state: 'active', url: receiver.url })
    await after.close()
    await before.close()
  })

  test('is told of one payment in order, while others go ahead', async () => {
    const { receiver, id } = await subscribed()
    const { body: held } = await pay({ paymentType: 'PA', amount: '50.00' })
    let failures = 2
    receiver.answer = ({ json }) => {
      if (json.payload.id !== held.id || failures === 0) return { status: 200 }
      failures -= 1
      return { status: 500 }
    }
    await runDueJobs()
    const captured = await refer(held.id, 'CP', '20.00')
    const { body: other } = await pay()
    await runDueJobs()
    const heard = () => receiver.received.map(({ json }) => json.payload.id)
    expect(heard()).toEqual([held.id, other.id])
    await fastForward(10 * MINUTE_MS)
    expect(heard()).toEqual([held.id, other.id, held.id, held.id, captured.body.id])
    expect((await deliveriesOf(id, 'delivered')).length).toBe(3)
  })

  test('is told of what came later all the same, when an earlier event fails for long', async () => {
    const { receiver } = await subscribed()
    const { body: held } = await pay({ paymentType: 'PA', amount: '50.00' })
    receiver.answer = ({ json }) => ({ status: json.payload.id === held.id ? 500 : 200 })
    await runDueJobs()
    const captured = await refer(held.id, 'CP', '20.00')
    const { entries } = await fastForward(20 * MINUTE_MS)
    const heard = receiver.received.map(({ json }) => json.payload.id)
    expect(heard.filter((id) => id === held.id).length).toBeGreaterThanOrEqual(4)
    expect(heard).toContain(captured.body.id)
    const delivered = entries.find(({ outcome }) => outcome === 'delivered')
    expect((delivered?.atMs ?? Infinity) - shop.clock.nowMs).toBeLessThan(9 * MINUTE_MS)
  })

  test('is told of a capture once the preauthorisation that is under way has arrived', async () => {
    const { receiver } = await subscribed()
    let arrive = () => {}
    receiver.answer = ({ json }) =>
      json.payload.paymentType === 'PA'
        ? new Promise((resolve) => {
            arrive = () => resolve({ status: 200 })
          })
        : { status: 200 }
    shop.gateway.jobs.start()
    const { body: held } = await pay({ paymentType: 'PA', amount: '50.00' })
    await expect.poll(() => receiver.received.length).toBe(1)
    await refer(held.id, 'CP', '20.00')
    await pay()
    const heard = () => receiver.received.map(({ json }) => json.payload.paymentType)
    await expect.poll(heard).toEqual(['PA', 'DB'])
    arrive()
    await expect.poll(heard, { timeout: 5_000 }).toEqual(['PA', 'DB', 'CP'])
  })
})
