import { DAY_MS } from '@tollgate/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sandboxIds } from '../directory/sandbox.ts'
import {
  cardWithoutPayment,
  cardPayment,
  type Parameters,
  testGateway,
  type TestGateway,
} from '@tollgate/gateway/testing'
import { limits } from '../limits.ts'
import { retention } from './erase-numbers.task.ts'

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await testGateway()
})
afterEach(() => tollgate.close())

const pay = async (changes: Parameters = {}): Promise<string> =>
  (await tollgate.send('POST', '/v1/payments', cardPayment(changes))).body.id
const runOut = async () => {
  const work = retention(tollgate.gateway)
  let steps = 1
  while ((await work.step()) === 'more') steps += 1
  return steps
}
const isKept = async (id: string) => {
  const row = await tollgate.gateway.storage.account(id)
  return [row?.sealed, row?.wrapped_key, row?.key_id].every(Boolean)
}
const refund = (id: string) =>
  tollgate.send('POST', `/v1/payments/${id}`, { paymentType: 'RF', amount: '10.00', currency: 'EUR' })

test('a number is kept until 14 months after its card has expired', async () => {
  const ids = [await pay({ 'card.expiryMonth': '05', 'card.expiryYear': '2026' }), await pay()]
  tollgate.clock.nowMs = Date.UTC(2027, 7, 1, 12) - 1
  await runOut()
  expect(await Promise.all(ids.map(isKept))).toEqual([true, true])
  tollgate.clock.nowMs += 1
  await runOut()
  expect(await Promise.all(ids.map(isKept))).toEqual([false, true])
})

test('without its number a payment is shown and refunded as before', async () => {
  const id = await pay()
  await tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings: { retentionDays: 30 } })
  tollgate.clock.nowMs += 30 * DAY_MS - 1
  await runOut()
  expect(await isKept(id)).toBe(true)
  tollgate.clock.nowMs += 1
  await runOut()
  expect(await isKept(id)).toBe(false)
  const { body } = await tollgate.send('GET', `/v1/payments/${id}`)
  expect(body.card).toMatchObject({ bin: '420000', last4Digits: '0000', holder: 'Jane Jones' })
  const refunded = await refund(id)
  expect([refunded.status, refunded.body.card.last4Digits]).toEqual([200, '0000'])
})

test('days are inherited from above, and the nearest value wins', async () => {
  const [here, there] = [await pay(), await pay({ entityId: sandboxIds.legacyChannel })]
  await tollgate.manage('PATCH', `/entities/${sandboxIds.merchant}`, { settings: { retentionDays: 1 } })
  await tollgate.manage('PATCH', `/entities/${sandboxIds.legacyChannel}`, { settings: { retentionDays: 3 } })
  tollgate.clock.nowMs += 2 * DAY_MS
  await runOut()
  expect([await isKept(here), await isKept(there)]).toEqual([false, true])
})

test('a card that is registered stays, also where it was registered with a payment', async () => {
  await tollgate.manage('PATCH', `/entities/${sandboxIds.merchant}`, { settings: { retentionDays: 1 } })
  const alone = (await tollgate.send('POST', '/v1/registrations', cardWithoutPayment())).body.id
  const paid = (await tollgate.send('POST', '/v1/payments', cardPayment({ createRegistration: 'true' }))).body
  tollgate.clock.nowMs += 100 * DAY_MS
  await runOut()
  expect(await Promise.all([alone, paid.registrationId, paid.id].map(isKept))).toEqual([true, true, false])
})

test('in bounded steps, round after round', async () => {
  for (let count = 0; count < limits.retentionAccounts + 5; count += 1) await pay()
  expect(await runOut()).toBe(3)
  expect(await runOut()).toBe(3)
})

test('erased numbers disappear from every file, and a number that was changed meanwhile is checked again', async () => {
  const id = await pay()
  tollgate.clock.nowMs = Date.UTC(2040, 0)
  const { storage } = tollgate.gateway
  const erases: unknown[] = []
  const work = retention({
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
  while ((await work.step()) === 'more');
  expect(erases).toEqual([true, true])
  expect(await storage.account(id)).toMatchObject({ holder: 'Jane Doe', sealed: null, wrapped_key: null, key_id: null })
})
