import { DAY_MS } from '@tollgate/contract'
import { afterAll, expect, test } from 'vitest'
import { cardPayment, comparableBody, type Parameters, testGateway } from '@tollgate/gateway/testing'

// The test clock is at 2026-05-04 03:02:01.
const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send, clock } = tollgate

const pay = (changes: Parameters) => send('POST', '/v1/payments', cardPayment(changes))
const MASTER = { paymentBrand: 'MASTER', 'card.number': '5454545454545454' }

test.each([
  { payment: 'a Visa preauthorisation', changes: { paymentType: 'PA' }, expiresAt: '2026-05-11 03:02:01.000+0000' },
  {
    payment: 'a Mastercard preauthorisation',
    changes: { paymentType: 'PA', ...MASTER },
    expiresAt: '2026-06-03 03:02:01.000+0000',
  },
  {
    payment: 'a preauthorisation of a hotel',
    changes: { paymentType: 'PA', 'merchant.mcc': '7011' },
    expiresAt: '2026-06-03 03:02:01.000+0000',
  },
  { payment: 'the verification of a card', changes: { paymentType: 'PA', amount: '0.00' }, expiresAt: undefined },
  {
    payment: 'a declined preauthorisation',
    changes: { paymentType: 'PA', 'card.holder': '{800.100.152}' },
    expiresAt: undefined,
  },
  { payment: 'a debit', changes: { paymentType: 'DB' }, expiresAt: undefined },
])('AuthorizationExpiresAt of $payment is $expiresAt', async ({ changes, expiresAt }) => {
  const answer = await pay(changes)
  expect(answer.body.resultDetails.AuthorizationExpiresAt).toBe(expiresAt)
  expect(answer.body.resultDetails.ExtendedDescription).toEqual(expect.any(String))
  const read = await send('GET', `/v1/payments/${answer.body.id}`)
  expect(comparableBody(read)).toEqual(comparableBody(answer))
})

test('a preauthorisation can be captured until its expiry', async () => {
  const { body } = await pay({ paymentType: 'PA' })
  const [day = '', time = ''] = body.resultDetails.AuthorizationExpiresAt.split(' ')
  const endMs = Date.parse(`${day}T${time.replace('+0000', 'Z')}`)
  const capture = () => send('POST', `/v1/payments/${body.id}`, { paymentType: 'CP', amount: '1.00', currency: 'EUR' })
  const startMs = clock.nowMs
  clock.nowMs = endMs - 1
  expect((await capture()).status).toBe(200)
  clock.nowMs = endMs
  expect((await capture()).body.result.code).toBe('700.300.400')
  clock.nowMs = startMs
})

test.each([
  { brand: 'MASTER', changes: MASTER, expiresAt: '2026-06-04 03:02:01.000+0000' },
  { brand: 'VISA', changes: {}, expiresAt: undefined },
])('AuthorizationExpiresAt of an increment of a $brand preauthorisation a day later is $expiresAt', async (row) => {
  const { changes, expiresAt } = row
  const { body } = await pay({ paymentType: 'PA', ...changes })
  clock.nowMs += DAY_MS
  const increase = {
    paymentType: 'PA',
    amount: '8.00',
    currency: 'EUR',
    'standingInstruction.industryPractice': 'INCREMENTAL_AUTH',
  }
  const answer = await send('POST', `/v1/payments/${body.id}`, increase)
  clock.nowMs -= DAY_MS
  expect([answer.status, answer.body.resultDetails.AuthorizationExpiresAt]).toEqual([200, expiresAt])
})
