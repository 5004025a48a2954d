import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { sandboxIds } from '../directory/sandbox.ts'
import { cardPayment, testGateway, type TestGateway } from '@tollgate/gateway/testing'
import { eraseVelocity } from './erase-old-rows.task.ts'

let tollgate: TestGateway
beforeEach(async () => {
  tollgate = await testGateway()
})
afterEach(() => tollgate.close())

const customer = { 'customer.givenName': 'Jane', 'customer.surname': 'Jones', 'customer.ip': '192.0.2.1' }
const pay = () => tollgate.send('POST', '/v1/payments', cardPayment(customer))
const countEntries = async () =>
  (await tollgate.gateway.storage.velocity('payment|customer.ip|192.0.2.1', sandboxIds.merchant, 0)).length
const runToEnd = async () => {
  const task = eraseVelocity(tollgate.gateway)
  let steps = 1
  while ((await task.step()) === 'more') steps += 1
  return steps
}

test('velocity entries older than the longest window are erased, and newer entries are kept', async () => {
  await tollgate.manage('PUT', `/entities/${sandboxIds.channel}/risk-rules`, {
    rules: [
      {
        name: 'the longest window',
        when: { kind: 'count', by: 'customer.ip', above: 9, withinSeconds: limits.riskSecondsMax },
        score: 1,
      },
    ],
  })
  await pay()
  tollgate.clock.nowMs += limits.riskSecondsMax * 1000
  await pay()
  expect([await runToEnd(), await countEntries()]).toEqual([1, 2])
  tollgate.clock.nowMs += 1
  expect([await runToEnd(), await countEntries()]).toEqual([2, 1])
})
