import { DAY_MS } from '@tollgate/contract'
import type { JobRow } from '@tollgate/storage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sandboxIds } from '../directory/sandbox.ts'
import {
  cardWithoutPayment,
  cardPayment,
  type Parameters,
  testGateway,
  type TestGateway,
} from '@tollgate/gateway/testing'
import { limits } from '../limits.ts'
import { timeoutReversalTimer } from '../records/timers.ts'
import { eraseNumbers } from './erase-numbers.task.ts'
import { createOpenMessages } from './open-messages.ts'

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await testGateway()
})
afterEach(() => tollgate.close())

const pay = async (changes: Parameters = {}): Promise<string> =>
  (await tollgate.send('POST', '/v1/payments', cardPayment(changes))).body.id
const runToEnd = async () => {
  const task = eraseNumbers(tollgate.gateway)
  let steps = 1
  while ((await task.step()) === 'more') steps += 1
  return steps
}
const hasNumber = async (id: string) => {
  const row = await tollgate.gateway.storage.account(id)
  return [row?.sealed, row?.wrapped_key, row?.key_id].every(Boolean)
}
const refund = (id: string) =>
  tollgate.send('POST', `/v1/payments/${id}`, { paymentType: 'RF', amount: '10.00', currency: 'EUR' })

test('a number is kept until 14 months after its card has expired', async () => {
  const ids = [await pay({ 'card.expiryMonth': '05', 'card.expiryYear': '2026' }), await pay()]
  tollgate.clock.nowMs = Date.UTC(2027, 7, 1, 12) - 1
  await runToEnd()
  expect(await Promise.all(ids.map(hasNumber))).toEqual([true, true])
  tollgate.clock.nowMs += 1
  await runToEnd()
  expect(await Promise.all(ids.map(hasNumber))).toEqual([false, true])
})

test('a payment without its number is shown and refunded as before', async () => {
  const id = await pay()
  await tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings: { retentionDays: 30 } })
  tollgate.clock.nowMs += 30 * DAY_MS - 1
  await runToEnd()
  expect(await hasNumber(id)).toBe(true)
  tollgate.clock.nowMs += 1
  await runToEnd()
  expect(await hasNumber(id)).toBe(false)
  const { body } = await tollgate.send('GET', `/v1/payments/${id}`)
  expect(body.card).toMatchObject({ bin: '420000', last4Digits: '0000', holder: 'Jane Jones' })
  const refunded = await refund(id)
  expect([refunded.status, refunded.body.card.last4Digits]).toEqual([200, '0000'])
})

test('retentionDays is inherited, and the value of the nearest entity applies', async () => {
  const [strictPayment, legacyPayment] = [await pay(), await pay({ entityId: sandboxIds.legacyChannel })]
  await tollgate.manage('PATCH', `/entities/${sandboxIds.merchant}`, { settings: { retentionDays: 1 } })
  await tollgate.manage('PATCH', `/entities/${sandboxIds.legacyChannel}`, { settings: { retentionDays: 3 } })
  tollgate.clock.nowMs += 2 * DAY_MS
  await runToEnd()
  expect([await hasNumber(strictPayment), await hasNumber(legacyPayment)]).toEqual([false, true])
})

describe('the number of a payment with an open message to its acquirer', () => {
  /** Adds the job that reverses a payment or repeats a capture. */
  async function openMessage(subject: string, changes: Partial<JobRow> = {}): Promise<JobRow> {
    const { storage, ids } = tollgate.gateway
    const [row] = await storage.transactions([subject])
    const job = { ...timeoutReversalTimer({ ids }, row ?? expect.fail('no payment'), tollgate.clock.nowMs), ...changes }
    await storage.commit({ id: ids.ordered(), expectedVersions: [], rows: { job: [job] } })
    return job
  }
  const endRetention = async () => {
    await tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings: { retentionDays: 1 } })
    tollgate.clock.nowMs += 8 * DAY_MS
    await runToEnd()
  }

  test.each([
    ['waits for its next run', {}],
    ['is dead-lettered', { parked_at_ms: 1, last_error: 'the acquirer does not answer' }],
  ])('is kept while the job %s, and erased after it', async (_, changes) => {
    const [open, other] = [await pay(), await pay()]
    const job = await openMessage(open, changes)
    await endRetention()
    expect(await Promise.all([open, other].map(hasNumber))).toEqual([true, false])
    const { storage, ids } = tollgate.gateway
    const compareAndSets = [{ table: 'job' as const, from: job, to: null }]
    await storage.commit({ id: ids.ordered(), expectedVersions: [], rows: {}, compareAndSets })
    await runToEnd()
    expect(await hasNumber(open)).toBe(false)
  })

  test('is kept for the message of its capture', async () => {
    const id = await pay({ paymentType: 'PA' })
    const captured = await tollgate.send('POST', `/v1/payments/${id}`, {
      paymentType: 'CP',
      amount: '10.00',
      currency: 'EUR',
    })
    await openMessage(captured.body.id)
    await endRetention()
    expect(await hasNumber(id)).toBe(true)
  })

  test('is kept, and other numbers are erased, if so many messages are open that they are read in pages', async () => {
    const [oldest, open, other] = [await pay(), await pay(), await pay()]
    await openMessage(oldest)
    tollgate.clock.nowMs += 1
    await Promise.all(Array.from({ length: limits.openMessagesRead }, () => openMessage(open)))
    await endRetention()
    expect(await Promise.all([oldest, open, other].map(hasNumber))).toEqual([true, true, false])
  })

  test('is kept for a message that is added during the sweep', async () => {
    const ids: string[] = []
    for (let count = 0; count < limits.retentionAccountsPerStep + 1; count += 1) ids.push(await pay())
    await tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings: { retentionDays: 1 } })
    tollgate.clock.nowMs += 8 * DAY_MS
    const task = eraseNumbers(tollgate.gateway)
    await task.step()
    const last = ids.toSorted().at(-1) ?? ''
    await openMessage(last)
    while ((await task.step()) === 'more') await Promise.resolve()
    expect((await Promise.all(ids.map(hasNumber))).filter(Boolean)).toEqual([true])
    expect(await hasNumber(last)).toBe(true)
  })
})

test('a sweep reads a bounded number of open messages', async () => {
  const [row] = await tollgate.gateway.storage.transactions([await pay()])
  const job = timeoutReversalTimer(tollgate.gateway, row ?? expect.fail('no payment'), tollgate.clock.nowMs)
  const page = Array.from({ length: limits.openMessagesRead }, () => job)
  const storage = { ...tollgate.gateway.storage, jobsBefore: async () => page, transactions: async () => [] }
  const openMessages = createOpenMessages({ storage, clock: tollgate.gateway.clock })
  openMessages.begin()
  const results: string[] = []
  while (results.at(-1) !== 'tooMany' && results.length < 200) results.push(await openMessages.read())
  expect(results.length).toBe(limits.openMessagesMax / limits.openMessagesRead + 1)
})

test('the number of a registration is kept, even if the payment that created it has lost its number', async () => {
  await tollgate.manage('PATCH', `/entities/${sandboxIds.merchant}`, { settings: { retentionDays: 1 } })
  const registrationId = (await tollgate.send('POST', '/v1/registrations', cardWithoutPayment())).body.id
  const paid = (await tollgate.send('POST', '/v1/payments', cardPayment({ createRegistration: 'true' }))).body
  tollgate.clock.nowMs += 100 * DAY_MS
  await runToEnd()
  expect(await Promise.all([registrationId, paid.registrationId, paid.id].map(hasNumber))).toEqual([true, true, false])
})

test('each sweep reads all accounts in bounded steps', async () => {
  for (let count = 0; count < limits.retentionAccountsPerStep + 5; count += 1) await pay()
  expect(await runToEnd()).toBe(3)
  expect(await runToEnd()).toBe(3)
})

test('an erasure sets the flag `erases` of its unit of work, and is repeated after a concurrent change', async () => {
  const id = await pay()
  tollgate.clock.nowMs = Date.UTC(2040, 0)
  const { storage } = tollgate.gateway
  const erases: unknown[] = []
  const task = eraseNumbers({
    ...tollgate.gateway,
    storage: {
      ...storage,
      async commit(unit) {
        erases.push(unit.erases)
        const row = await storage.account(id)
        if (erases.length === 1 && row) {
          await storage.commit({ id: 'u', expectedVersions: [], rows: { account: [{ ...row, holder: 'Jane Doe' }] } })
        }
        return storage.commit(unit)
      },
    },
  })
  while ((await task.step()) === 'more');
  expect(erases).toEqual([true, true])
  expect(await storage.account(id)).toMatchObject({ holder: 'Jane Doe', sealed: null, wrapped_key: null, key_id: null })
})
