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
const PARTIAL_APPROVAL = { 'customParameters[forceAcquirerResponse]': '10' }

const pay = (changes: Parameters = {}) =>
  send('POST', '/v1/payments', cardPayment({ entityId: created.id, ...changes }))
const followUp = (id: string, paymentType: string, amount: string, changes: Parameters = {}) =>
  send('POST', `/v1/payments/${id}`, { entityId: created.id, paymentType, amount, currency: 'EUR', ...changes })
const outcome = (answer: { status: number; body: { result: { code: string }; amount: string } }) => [
  answer.status,
  answer.body.result.code,
  answer.body.amount,
]

test('a partial approval is a decline on a channel that does not accept it', async () => {
  const answer = await pay({ entityId: sandboxIds.channel, ...PARTIAL_APPROVAL })
  expect(outcome(answer)).toEqual([400, '800.100.155', '92.00'])
})

test('the approved amount is the amount of the answer and of later reads', async () => {
  const answer = await pay(PARTIAL_APPROVAL)
  expect(outcome(answer)).toEqual([200, '000.000.001', '46.00'])
  const read = await send('GET', `/v1/payments/${answer.body.id}`, { entityId: undefined })
  expect(comparableBody(read)).toEqual(comparableBody(answer))
})

test.each([
  { name: 'a debit is refunded', paymentType: 'DB', followUpType: 'RF', code: '700.400.200' },
  { name: 'a preauthorisation is captured', paymentType: 'PA', followUpType: 'CP', code: '700.400.100' },
])('$name up to the approved amount', async ({ paymentType, followUpType, code }) => {
  const { body } = await pay({ paymentType, ...PARTIAL_APPROVAL })
  expect(outcome(await followUp(body.id, followUpType, '46.01'))).toEqual([400, code, '46.01'])
  expect(outcome(await followUp(body.id, followUpType, '46.00'))).toEqual([200, '000.100.110', '46.00'])
})

test('an increment can be approved in part, and captures include only the approved part', async () => {
  const { body } = await pay({ paymentType: 'PA' })
  const practice = { 'standingInstruction.industryPractice': 'INCREMENTAL_AUTH' }
  expect(outcome(await followUp(body.id, 'PA', '10.00', { ...practice, ...PARTIAL_APPROVAL }))).toEqual([
    200,
    '000.000.001',
    '5.00',
  ])
  expect(outcome(await followUp(body.id, 'CP', '97.01'))).toEqual([400, '700.400.100', '97.01'])
  expect(outcome(await followUp(body.id, 'CP', '97.00'))).toEqual([200, '000.100.110', '97.00'])
})

describe('a partial approval is never accepted', () => {
  test('for a payout', async () => {
    expect(outcome(await pay({ paymentType: 'CD', ...PARTIAL_APPROVAL }))).toEqual([400, '800.100.155', '92.00'])
  })

  test.each(['CP', 'RF'])('for %s', async (type) => {
    const { body } = await pay({ paymentType: type === 'CP' ? 'PA' : 'DB' })
    expect(outcome(await followUp(body.id, type, '10.00', PARTIAL_APPROVAL))).toEqual([400, '800.100.155', '10.00'])
  })
})
