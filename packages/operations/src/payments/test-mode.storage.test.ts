import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  cardWithoutPayment,
  cardPayment,
  FORM,
  formOf,
  type Parameters,
  summary,
  type TestAnswer,
  testBank,
  type TestGateway,
  testGateway,
} from '@tollgate/gateway/testing'

const EXTERNAL = [200, '000.100.112']
const INTERNAL = [200, '000.100.110']
const external = { testMode: 'EXTERNAL' }

const bank = testBank()
let tollgate: TestGateway

beforeAll(async () => (tollgate = await testGateway({ redirects: bank.connector })))
afterAll(() => tollgate.close())

const post = (path: string, parameters: Parameters): Promise<TestAnswer> => tollgate.send('POST', path, parameters)
const pay = (changes: Parameters = {}) => post('/v1/payments', cardPayment({ ...external, ...changes }))
const register = (changes: Parameters = {}) =>
  post('/v1/registrations', cardWithoutPayment({ ...external, ...changes }))

const bankAccount = {
  'card.number': undefined,
  'card.holder': undefined,
  'card.expiryMonth': undefined,
  'card.expiryYear': undefined,
  'card.cvv': undefined,
  paymentBrand: 'DIRECTDEBIT_SEPA',
  'bankAccount.holder': 'Jane Jones',
  'bankAccount.iban': 'NL91ABNA0417164300',
  'bankAccount.mandate.id': 'MANDATE-A',
  'bankAccount.mandate.dateOfSignature': '2024-05-06',
}

describe('testMode=EXTERNAL has the result code 000.100.112', () => {
  test.each<[string, Parameters]>([
    ['a debit', {}],
    ['a preauthorisation', { paymentType: 'PA' }],
    ['a payout', { paymentType: 'CD' }],
    ['a verification', { paymentType: 'PA', amount: '0.00' }],
    ['a direct debit', bankAccount],
    [
      'a virtual account',
      {
        ...bankAccount,
        'bankAccount.iban': undefined,
        'bankAccount.holder': undefined,
        'bankAccount.mandate.id': undefined,
        'bankAccount.mandate.dateOfSignature': undefined,
        paymentBrand: 'PAYPAL',
        'virtualAccount.accountId': 'shopper@wallet.example',
      },
    ],
  ])('for %s', async (_kind, changes) => {
    const paid = await pay(changes)
    expect(summary(paid)).toEqual(EXTERNAL)
    expect(paid.body.result.description).toContain("in 'Merchant in Connector Test Mode'")
    expect(summary(await tollgate.send('GET', `/v1/payments/${paid.body.id}`))).toEqual(EXTERNAL)
  })

  test('unless the payment is declined', async () => {
    expect(summary(await pay({ 'customParameters[forceAcquirerResponse]': '51' }))).toEqual([400, '800.100.155'])
  })

  test('for follow-ups of the payment that send this testMode or none; INTERNAL is refused', async () => {
    const preauthorisation = (await pay({ paymentType: 'PA' })).body.id
    const followUp = (id: string, changes: Parameters) =>
      post(`/v1/payments/${id}`, { amount: '10.00', currency: 'EUR', ...changes })
    const captured = await followUp(preauthorisation, { paymentType: 'CP' })
    expect(summary(captured)).toEqual(EXTERNAL)
    expect(summary(await followUp(captured.body.id, { paymentType: 'RF', ...external }))).toEqual(EXTERNAL)
    expect(summary(await followUp(captured.body.id, { paymentType: 'RB' }))).toEqual(EXTERNAL)
    expect(summary(await post(`/v1/payments/${preauthorisation}`, { paymentType: 'RV' }))).toEqual(EXTERNAL)
    expect(summary(await followUp(captured.body.id, { paymentType: 'RF', testMode: 'INTERNAL' }))).toEqual([
      400,
      '700.100.600',
    ])
  })

  test('for a registration, its changes and its verification, and for charges that send the testMode', async () => {
    const registered = await register({ amount: '0.00', currency: 'EUR' })
    expect(summary(registered)).toEqual(EXTERNAL)
    const path = `/v1/registrations/${registered.body.id}`
    const charge = { amount: '1.00', currency: 'EUR', paymentType: 'DB' }
    expect(summary(await post(`${path}/payments`, { ...charge, ...external }))).toEqual(EXTERNAL)
    expect(summary(await post(`${path}/payments`, charge))).toEqual(INTERNAL)
    expect(summary(await tollgate.send('GET', path))).toEqual(EXTERNAL)
    expect(summary(await post(path, { 'card.holder': 'Jim Jones' }))).toEqual(EXTERNAL)
    expect(summary(await post(path, { amount: '0.00', currency: 'EUR' }))).toEqual(EXTERNAL)
    expect(summary(await post(`${path}/extendlife`, {}))).toEqual(EXTERNAL)
    expect(summary(await post(`${path}/extendlife`, { testMode: 'INTERNAL' }))).toEqual([400, '700.100.600'])
    expect(summary(await tollgate.send('DELETE', path))).toEqual(EXTERNAL)
  })

  test('for a plan and its charges; INTERNAL is refused', async () => {
    const { body } = await pay({ createRegistration: 'true' })
    const job = { 'job.dayOfMonth': '1', 'job.month': '*', 'job.hour': '0', 'job.minute': '0', 'job.second': '0' }
    const plan = { registrationId: body.registrationId, amount: '1.00', currency: 'EUR', paymentType: 'DB', ...job }
    expect(summary(await post('/scheduling/v1/schedules', { ...plan, testMode: 'INTERNAL' }))).toEqual([
      400,
      '700.100.600',
    ])
    const created = await post('/scheduling/v1/schedules', plan)
    expect(summary(created)).toEqual(EXTERNAL)
    expect(summary(await tollgate.send('GET', `/scheduling/v1/schedules/${created.body.id}`))).toEqual(EXTERNAL)
    await tollgate.gateway.jobs.fastForward(Date.UTC(2026, 5, 2))
    const charges = await tollgate.send('GET', `/v1/query`, {
      merchantTransactionId: `${created.body.id}-20260601000000`,
    })
    expect(charges.body.payments.map(({ result }: TestAnswer['body']) => result.code)).toEqual(['000.100.112'])
  })

  test('for a redirect payment and its refund', async () => {
    const { body } = await post('/v1/payments', {
      ...external,
      amount: '92.00',
      currency: 'EUR',
      paymentType: 'DB',
      paymentBrand: 'PAYPAL',
      shopperResultUrl: 'https://shop.example/done',
    })
    expect(body.result.code).toBe('000.200.000')
    bank.lastPayment().state = 'paid'
    await tollgate.server.inject({ method: 'GET', url: new URL(bank.lastPayment().returnUrl).pathname })
    expect(summary(await tollgate.send('GET', `/v1/payments/${body.id}`))).toEqual(EXTERNAL)
    const refund = { paymentType: 'RF', amount: '92.00', currency: 'EUR' }
    expect(summary(await post(`/v1/payments/${body.id}`, refund))).toEqual(EXTERNAL)
  })

  test.each<[string, Parameters]>([
    ['payment', cardPayment({ ...external })],
    ['registration', { ...external, createRegistration: 'true' }],
  ])('for a checkout of a %s', async (resource, parameters) => {
    const { amount, currency, paymentType, testMode, createRegistration } = parameters
    const { body } = await post('/v1/checkouts', { amount, currency, paymentType, testMode, createRegistration })
    expect(body.result.code).toBe('000.200.100')
    const url = `/v1/checkouts/${body.id}/${resource}`
    const shopper = {
      method: 'POST' as const,
      headers: { 'content-type': FORM },
      payload: formOf(cardWithoutPayment()),
    }
    expect(summary(await tollgate.request({ ...shopper, url }))).toEqual(EXTERNAL)
    expect(summary(await tollgate.send('GET', url))).toEqual(EXTERNAL)
  })
})
