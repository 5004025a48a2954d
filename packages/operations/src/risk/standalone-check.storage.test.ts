import { decodeForm } from '@tollgate/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formOf, type Parameters, testGateway } from '@tollgate/gateway/testing'
import { riskCheckRequest } from '../parameters/risk-check-request.ts'
import { systemHead } from '../system-head.ts'
import { amount, codeOf, jane, PASSED, REJECTED, REVIEW, type RiskShop, riskShop } from '../testing/risk-shop.ts'
import { standaloneRiskCheck } from './standalone-check.ts'
import { testChannel } from '../testing/test-channel.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { gateway } = tollgate
const shop = (riskRules: object | undefined) => riskShop(tollgate, riskRules)

test.each([
  { state: 'an enabled', enabled: true, code: '000.300.100' },
  { state: 'a disabled', enabled: false, code: '600.200.201' },
])('a standalone risk check on $state channel is answered with $code', async ({ enabled, code }) => {
  const channel = testChannel({ enabled })
  const sent = decodeForm(Buffer.from(formOf({ amount: '92.00', currency: 'EUR', 'customer.ip': '192.0.2.1' })))
  const head = systemHead({ requestId: 'r', atMs: gateway.clock.now() }, channel, sent)
  expect((await standaloneRiskCheck(gateway, riskCheckRequest(head))).answer.code).toBe(code)
})

describe('a standalone risk check', () => {
  const rules = {
    reviewFrom: 100,
    rejectFrom: 200,
    rules: [
      { name: 'over 100', when: amount('100.00'), score: 100 },
      { name: 'over 200', when: amount('200.00'), score: 100 },
    ],
  }

  let testShop: RiskShop
  beforeAll(async () => {
    testShop = await shop(rules)
  })

  test.each(['/v1/risk', '/v2/redShield'])('at %s is answered and stored, and can be read', async (path) => {
    const { post, read } = testShop
    const form = { amount: '92.00', currency: 'EUR', merchantTransactionId: 'order-0007', ...jane }
    const checked = await post(path, form)
    expect(checked.status).toBe(200)
    expect(checked.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      paymentType: 'RI',
      amount: '92.00',
      currency: 'EUR',
      result: { code: PASSED, description: 'Risk check passed' },
      resultDetails: { ExtendedDescription: 'The risk check found no reason against the payment.' },
      merchantTransactionId: 'order-0007',
      customer: {
        givenName: 'Jane',
        surname: 'Jones',
        email: 'jane@jones.example',
        ip: '192.0.2.1',
        merchantCustomerId: 'jane',
      },
      risk: { score: '0', orderTimestamp: checked.body.timestamp.slice(0, 19) },
      buildNumber: expect.any(String),
      timestamp: expect.any(String),
      ndc: expect.any(String),
    })
    const stored = await read(checked.body.id)
    expect({ ...stored.body, timestamp: 0, ndc: 0 }).toEqual({ ...checked.body, timestamp: 0, ndc: 0 })
  })

  test.each([
    { sent: '100.00', status: 200, code: PASSED, score: '0' },
    { sent: '100.01', status: 200, code: REVIEW, score: '100' },
    { sent: '200.01', status: 400, code: REJECTED, score: '200' },
  ])('of the amount $sent is answered with $code', async ({ sent, status, code, score }) => {
    const { check, read } = testShop
    const checked = await check({ amount: sent, paymentType: 'RI' })
    expect([checked.status, codeOf(checked), checked.body.risk.score]).toEqual([status, code, score])
    expect((await read(checked.body.id)).body).toMatchObject({ paymentType: 'RI', result: { code }, risk: { score } })
  })

  test('accepts an account in any structure or none, and stores no number', async () => {
    const { check, account } = testShop
    const card = { 'card.number': '4200000000000000', 'card.holder': 'Jane Jones', paymentBrand: 'VISA' }
    const { body, text } = await check(card)
    expect([body.result.code, body.paymentBrand, body.card]).toEqual([
      PASSED,
      'VISA',
      { bin: '420000', last4Digits: '0000', holder: 'Jane Jones' },
    ])
    expect(text).not.toContain('4200000000000000')
    expect((await account(body.id)).body).toMatchObject({ bin: '420000', fingerprint: null })
    expect((await check({ 'card.number': '5454545454545454' })).body).toMatchObject({
      paymentBrand: 'MASTER',
      risk: { brand: 'MASTER' },
    })
    for (const structure of [
      { 'bankAccount.iban': 'DE89370400440532013000' },
      { 'bankAccount.number': '532013000', paymentBrand: 'DIRECTDEBIT_SEPA' },
      { 'tokenAccount.number': '4200000000000000' },
      { 'virtualAccount.accountId': 'jane', paymentBrand: 'PAYPAL' },
      { 'giftCard.number': '6006491234567890' },
      { 'applePay.paymentToken': '{"data":"x"}' },
      { paymentBrand: 'VISA' },
      { paymentBrand: 'UNKNOWN' },
    ]) {
      expect([structure, codeOf(await check(structure))]).toEqual([structure, PASSED])
    }
  })

  test('without rules has the score 0', async () => {
    const { check } = await shop(undefined)
    const { body } = await check()
    expect([body.result.code, body.risk.score]).toEqual([PASSED, '0'])
  })

  test.each<{ fault: string; form: Parameters; code: string }>([
    { fault: 'the paymentType of a payment', form: { paymentType: 'DB' }, code: '200.300.404' },
    { fault: 'no amount', form: { amount: undefined }, code: '200.300.404' },
    {
      fault: 'an amount with decimals in a currency without minor units',
      form: { amount: '1.50', currency: 'JPY' },
      code: '100.550.303',
    },
    { fault: 'a risk.amount below the amount', form: { 'risk.amount': '1.00' }, code: '100.550.605' },
  ])('with $fault is refused with $code', async ({ form, code }) => {
    const { check, read } = testShop
    const { status, body } = await check(form)
    expect([status, body.result.code]).toEqual([400, code])
    if (code !== '200.300.404') expect((await read(body.id)).body.result.code).toBe(code)
  })

  test('on a disabled channel is refused', async () => {
    const { merchant, check } = await shop(rules)
    await tollgate.manage('PATCH', `/entities/${merchant.channel}`, { settings: { enabled: false } })
    expect(codeOf(await check())).toBe('600.200.201')
  })

  test('cannot be captured, and is not found by another merchant', async () => {
    const { post, check } = testShop
    const { body } = await check()
    const capture = await post(`/v1/payments/${body.id}`, { paymentType: 'CP', amount: '92.00', currency: 'EUR' })
    expect([capture.status, codeOf(capture)]).toEqual([400, '700.400.510'])
    expect((await tollgate.send('GET', `/v1/payments/${body.id}`)).status).toBe(404)
  })
})
