import { afterAll, describe, expect, test } from 'vitest'
import { sandboxIds } from '../directory/sandbox.ts'
import { cardPayment, comparableBody, type Parameters, testGateway } from '@tollgate/gateway/testing'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send, manage } = tollgate

const channel = {
  kind: 'channel',
  name: 'Partial',
  parentId: sandboxIds.merchant,
  settings: { partialApproval: true },
}
const { body: created } = await manage('POST', '/entities', channel)
const PART = { 'customParameters[forceAcquirerResponse]': '10' }

const pay = (changes: Parameters = {}) =>
  send('POST', '/v1/payments', cardPayment({ entityId: created.id, ...changes }))
const followUp = (id: string, paymentType: string, amount: string, changes: Parameters = {}) =>
  send('POST', `/v1/payments/${id}`, { entityId: created.id, paymentType, amount, currency: 'EUR', ...changes })
const outcome = (answer: { status: number; body: { result: { code: string }; amount: string } }) => [
  answer.status,
  answer.body.result.code,
  answer.body.amount,
]

test('a partial approval is reversed on a channel that does not accept it', async () => {
  const answer = await pay({ entityId: sandboxIds.channel, ...PART })
  expect(outcome(answer)).toEqual([400, '800.100.155', '92.00'])
})

test('the approved amount is the amount of the answer and of later reads', async () => {
  const answer = await pay(PART)
  expect(outcome(answer)).toEqual([200, '000.000.001', '46.00'])
  const read = await send('GET', `/v1/payments/${answer.body.id}`, { entityId: undefined })
  expect(comparableBody(read)).toEqual(comparableBody(answer))
})

test.each([
  { what: 'a debit is refunded', first: 'DB', next: 'RF', code: '700.400.200' },
  { what: 'a preauthorisation is captured', first: 'PA', next: 'CP', code: '700.400.100' },
])('$what up to the approved amount', async ({ first, next, code }) => {
  const { body } = await pay({ paymentType: first, ...PART })
  expect(outcome(await followUp(body.id, next, '46.01'))).toEqual([400, code, '46.01'])
  expect(outcome(await followUp(body.id, next, '46.00'))).toEqual([200, '000.100.110', '46.00'])
})

test('an increment can be approved in part', async () => {
  const { body } = await pay({ paymentType: 'PA' })
  const practice = { 'standingInstruction.industryPractice': 'INCREMENTAL_AUTH' }
  expect(outcome(await followUp(body.id, 'PA', '10.00', { ...practice, ...PART }))).toEqual([
    200,
    '000.000.001',
    '5.00',
  ])
  expect(outcome(await followUp(body.id, 'CP', '97.01'))).toEqual([400, '700.400.100', '97.01'])
  expect(outcome(await followUp(body.id, 'CP', '97.00'))).toEqual([200, '000.100.110', '97.00'])
})

describe('a partial approval is never accepted', () => {
  test('for a payout', async () => {
    expect(outcome(await pay({ paymentType: 'CD', ...PART }))).toEqual([400, '800.100.155', '92.00'])
  })

  test.each(['CP', 'RF'])('for %s', async (type) => {
    const { body } = await pay({ paymentType: type === 'CP' ? 'PA' : 'DB' })
    expect(outcome(await followUp(body.id, type, '10.00', PART))).toEqual([400, '800.100.155', '10.00'])
  })
})
