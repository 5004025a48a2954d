import { DAY_MS } from '@tollgate/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { sandboxIds } from '../directory/sandbox.ts'
import {
  cardWithoutPayment,
  cardPayment,
  subscribe,
  type SubscribedWebhook,
  testGateway,
  type TestGateway,
} from '@tollgate/gateway/testing'
import { eraseEvents } from './erase-events.task.ts'

let tollgate: TestGateway
let webhook: SubscribedWebhook
beforeEach(async () => {
  tollgate = await testGateway()
  webhook = await subscribe(tollgate, { entityId: sandboxIds.channel })
})
afterEach(async () => {
  await webhook.receiver.close()
  await tollgate.close()
})

const ABOVE_ALL_IDS = 'g'
const pay = () => tollgate.send('POST', '/v1/payments', cardPayment())
const runDueJobs = () => tollgate.gateway.jobs.fastForward(tollgate.gateway.clock.now())
const runToEnd = async () => {
  const task = eraseEvents(tollgate.gateway)
  let steps = 1
  while ((await task.step()) === 'more') steps += 1
  return steps
}
/** The numbers of stored events, deliveries and delivery attempts. */
async function counts() {
  const { storage } = tollgate.gateway
  const events = await storage.eventsBelow(ABOVE_ALL_IDS, 1_000)
  const jobs = await storage.jobsBefore('delivery', webhook.id, ABOVE_ALL_IDS, 1_000)
  const attempts = await Promise.all(jobs.map(({ id }) => storage.attemptsOf(id)))
  return [events.length, jobs.length, attempts.flat().length]
}

test('events are stored for 35 days, and erased with their deliveries and delivery attempts', async () => {
  await pay()
  webhook.receiver.answer = () => ({ status: 500 })
  await runDueJobs()
  webhook.receiver.answer = () => ({ status: 200 })
  await tollgate.gateway.jobs.fastForward(tollgate.gateway.clock.now() + DAY_MS)
  const [first] = await tollgate.gateway.storage.jobsBefore('delivery', webhook.id, ABOVE_ALL_IDS, 1)
  tollgate.clock.nowMs += 33 * DAY_MS
  await pay()
  await runDueJobs()
  expect(await counts()).toEqual([2, 2, 3])
  await runToEnd()
  expect(await counts()).toEqual([2, 2, 3])
  tollgate.clock.nowMs += DAY_MS + 1
  await runToEnd()
  expect(await counts()).toEqual([1, 1, 1])
  expect(await tollgate.gateway.storage.attemptsOf(first?.id ?? '')).toEqual([])
})

test('dead-lettered deliveries are erased as well, and jobs of other kinds are kept', async () => {
  await pay()
  const registration = (await tollgate.send('POST', '/v1/registrations', cardWithoutPayment())).body.id
  await tollgate.manage('POST', `/jobs/${registration}/park`)
  webhook.receiver.answer = () => ({ status: 410 })
  await runDueJobs()
  expect(await counts()).toEqual([2, 2, 1])
  tollgate.clock.nowMs += 35 * DAY_MS + 1
  await runToEnd()
  expect(await counts()).toEqual([0, 0, 0])
  expect(await tollgate.gateway.storage.job(registration)).toMatchObject({ parked_at_ms: expect.any(Number) })
})

test('a delivery that is pending when its event is erased is dead-lettered, and erased by the next sweep', async () => {
  await pay()
  const { storage, ids } = tollgate.gateway
  const [job] = await storage.jobsBefore('delivery', webhook.id, ABOVE_ALL_IDS, 1)
  if (!job) throw new Error('the payment has no delivery')
  const later = { ...job, due_at_ms: job.due_at_ms + 36 * DAY_MS }
  await storage.commit({ id: ids.ordered(), expectedVersions: [], rows: { job: [later] } })
  tollgate.clock.nowMs += 36 * DAY_MS
  await runToEnd()
  expect(await counts()).toEqual([0, 1, 0])
  await runDueJobs()
  expect(await storage.job(job.id)).toMatchObject({
    parked_at_ms: expect.any(Number),
    last_error: 'the event has been erased',
  })
  await runToEnd()
  expect(await counts()).toEqual([0, 0, 0])
})

test('events are erased in bounded steps', async () => {
  for (let count = 0; count < limits.eventsErasedPerStep + 1; count += 1) await pay()
  await runDueJobs()
  tollgate.clock.nowMs += 36 * DAY_MS
  // Two steps for the deliveries, two for the events, and a last one without any rows.
  expect(await runToEnd()).toBe(5)
  expect(await counts()).toEqual([0, 0, 0])
})

test('a webhook key is erased at the end of its overlap, and events are still delivered', async () => {
  const { body } = await tollgate.manage('POST', `/webhooks/${webhook.id}/keys`)
  webhook.receiver.keys.push(body.key)
  await tollgate.manage('POST', `/webhooks/${webhook.id}/test`, { overlapSeconds: 60 })
  await runToEnd()
  expect((await tollgate.gateway.storage.webhookKeys()).length).toBe(2)
  tollgate.clock.nowMs += 60_000
  await runToEnd()
  expect((await tollgate.gateway.storage.webhookKeys()).length).toBe(1)
  await pay()
  await runDueJobs()
  expect(webhook.receiver.received.length).toBe(1)
})
