import { describeResult, isResultCode } from '@tollgate/contract'
import { openMemory } from '@tollgate/storage'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import { sandboxIds, sandboxToken } from '@tollgate/operations'
import {
  cardWithoutPayment,
  cardPayment,
  FORM,
  formOf,
  type Parameters,
  summary,
  type TestAnswer,
  testGateway,
  type TestRequest,
} from '../../testing/test-gateway.ts'

// These tests send requests of existing plugins and SDKs, and check the behaviour that such clients depend on.

const memory = openMemory()
let depth = 0
const tollgate = await testGateway({ storage: { ...memory, depth: () => depth } })
afterAll(() => tollgate.close())
afterEach(() => {
  depth = 0
})
const { request, send } = tollgate

const cardNames = Object.keys(cardPayment()).filter((name) => name.startsWith('card.'))
const withoutCard: Parameters = Object.fromEntries(cardNames.map((name) => [name, undefined]))

const authorization = `Bearer ${sandboxToken}`
const UNKNOWN_ID = '0'.repeat(32)
const APPROVED = [200, '000.100.110']
const post = (url: string, payload: string) =>
  request({ method: 'POST', url, headers: { authorization, 'content-type': FORM }, payload })

test.each(['Berlin', 'Köln', 'Łódź', '東京', 'a😀b'])(
  'the length of an answer is that of its bytes: %s',
  async (city) => {
    const { status, headers, text, body } = await send('POST', '/v1/payments', cardPayment({ 'billing.city': city }))
    expect([status, body.billing]).toEqual([200, { city }])
    expect(headers).toMatchObject({
      'content-type': 'application/json;charset=UTF-8',
      'content-length': String(Buffer.byteLength(text)),
    })
  },
)

describe.each([
  { channel: 'strict', entityId: sandboxIds.channel },
  { channel: 'legacy', entityId: sandboxIds.legacyChannel },
])('on a $channel channel', ({ entityId }) => {
  const pay = (changes: Parameters = {}) => send('POST', '/v1/payments', cardPayment({ entityId, ...changes }))
  const payment = formOf(cardPayment({ entityId }))

  test.each([
    'recurringType=INITIAL',
    'shipping.givenName=Jane',
    'threeDSecure.xid=AAACAgSRBklmQCFgMpEGAAAAAAA=',
    'shopperOrigin=a&shopperOrigin=b',
  ])('unknown parameters are ignored: %s', async (unknown) => {
    expect(summary(await post('/v1/payments', `${payment}&${unknown}`))).toEqual(APPROVED)
  })

  test.each([
    'descriptor=',
    'billing.street2=',
    'merchantTransactionId',
    'risk.parameters[note]=',
    'createRegistration=',
  ])('an empty value means absent: %s', async (empty) => {
    const { status, body } = await post('/v1/payments', `${payment}&${empty}`)
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('billing')
    expect(body).not.toHaveProperty('risk')
    expect(body).not.toHaveProperty('merchantTransactionId')
    expect(body).not.toHaveProperty('registrationId')
    expect(body.descriptor).toMatch(/^\d{4}\.\d{4}\.\d{4} Sandbox/)
  })

  test('an empty amount is reported as missing', async () => {
    const { status, body } = await pay({ amount: '' })
    expect(status).toBe(400)
    expect(body.result.parameterErrors).toEqual([{ name: 'amount', value: '', message: 'may not be empty' }])
  })

  test.each([
    'cart.items[0].name=Tea&customParameters[note]=x',
    'cart.items%5B0%5D.name=Tea&customParameters%5bnote%5d=x',
  ])('brackets are recognised, escaped or not: %s', async (brackets) => {
    const { body } = await post('/v1/payments', `${payment}&${brackets}`)
    expect(body).toMatchObject({ cart: { items: [{ name: 'Tea' }] }, customParameters: { note: 'x' } })
  })

  test('a trailing slash changes nothing', async () => {
    const paid = await post('/v1/payments/', payment)
    expect(summary(paid)).toEqual(APPROVED)
    const path = `/v1/payments/${paid.body.id}/`
    expect(summary(await send('GET', path, { entityId }))).toEqual(APPROVED)
    expect(summary(await send('POST', path, { entityId, paymentType: 'RV' }))).toEqual(APPROVED)
  })

  test('a base URL that ends with a slash changes nothing', async () => {
    const paid = await post('//v1/payments', payment)
    expect(summary(paid)).toEqual(APPROVED)
    const registration = await post('//v1//registrations/', formOf(cardWithoutPayment({ entityId })))
    expect(registration.body.id).toMatch(/^[0-9a-f]{32}$/)
    const checkout = await send('POST', '//v1/checkouts', { entityId, amount: '1', currency: 'EUR', paymentType: 'DB' })
    expect(summary(checkout)).toEqual([200, '000.200.100'])
    for (const [path, code] of [
      [`//v1/payments/${paid.body.id}//`, '000.100.110'],
      [`//v1/query/${paid.body.id}`, '000.100.110'],
      ['//v3/query', '000.000.100'],
    ] as const) {
      expect([path, ...summary(await send('GET', path, { entityId }))]).toEqual([path, 200, code])
    }
    const update = await send('POST', `//v1/checkouts/${checkout.body.id}`, { entityId, amount: '2' })
    expect(summary(update)).toEqual([200, '000.200.101'])
    expect(summary(await send('GET', '//checkouts/x/payment', { entityId }))).toEqual([404, '200.300.404'])
    const schedule = await send('POST', '//scheduling/v1//schedules', { entityId })
    expect(schedule.body.result.parameterErrors).toContainEqual(expect.objectContaining({ name: 'registrationId' }))
    expect(summary(await request({ method: 'GET', url: '//v1/resultcodes' }))).toEqual([200, '000.000.100'])
    const refused = await request({ method: 'PUT', url: '//v1/payments', headers: { authorization } })
    expect([refused.status, refused.headers['allow']]).toEqual([405, 'POST'])
  })

  test('a brand that is not sent is detected and answered as brandResult', async () => {
    expect((await pay({ paymentBrand: undefined })).body).toMatchObject({ paymentBrand: 'VISA', brandResult: 'VISA' })
  })

  test('an amount of whole units is answered with decimals', async () => {
    expect((await pay({ amount: '10' })).body.amount).toBe('10.00')
  })

  test.each(['applePay', 'googlePay', 'samsungPay'])(
    '%s.* is recognised as a wallet, whose token the channel cannot decrypt',
    async (wallet) => {
      const encrypted = { ...withoutCard, paymentBrand: undefined, [`${wallet}.paymentToken`]: '{"data":"x"}' }
      expect(summary(await pay(encrypted))).toEqual([400, '600.200.201'])
      const refused = await pay({ ...encrypted, [`${wallet}.source`]: 'phone' })
      expect(refused.body.result.parameterErrors).toEqual([
        { name: expect.stringMatching(/^wallet[ABC]\.source$/), value: 'phone', message: 'must be one of [web, app]' },
      ])
    },
  )

  test.each(['CP', 'RV', 'RF'])('%s without an id is refused as an invalid paymentType', async (paymentType) => {
    const followUp = formOf({ entityId, paymentType, amount: '92.00', currency: 'EUR' })
    const { status, body } = await post('/v1/payments/', followUp)
    expect([status, body.result.code]).toEqual([400, '200.300.404'])
    expect(body.result.parameterErrors).toContainEqual(
      expect.objectContaining({ name: 'paymentType', value: paymentType }),
    )
  })

  test('credentials and ids of the caller are not echoed', async () => {
    const { text } = await pay({ 'authentication.entityId': entityId, 'authentication.userId': sandboxIds.user })
    for (const value of [entityId, sandboxIds.user, sandboxToken]) expect(text).not.toContain(value)
  })

  /** Every phrase of result.description that clients match on, and a request that is answered with it. */
  const phrases: readonly (readonly [phrase: string, sendRequest: () => Promise<TestAnswer>])[] = [
    ["Request successfully processed in 'Merchant in Integrator Test Mode'", pay],
    [
      "Request successfully processed in 'Merchant in Connector Test Mode'",
      () => pay({ 'customParameters[forceResultCode]': '000.100.112' }),
    ],
    ['successful request', () => request({ method: 'GET', url: '/v1/resultcodes' })],
    ['invalid creditcard, bank account number or bank name', () => pay({ 'card.number': '4200000000000001' })],
    [
      'capture needs at least one successful transaction of type (PA)',
      () =>
        send('POST', `/v1/payments/${UNKNOWN_ID}`, { entityId, paymentType: 'CP', amount: '1.00', currency: 'EUR' }),
    ],
    [
      'reversal needs at least one successful transaction of type (CP or DB or RB or PA)',
      () => send('POST', `/v1/payments/${UNKNOWN_ID}`, { entityId, paymentType: 'RV' }),
    ],
    [
      'Invalid payment data. You are not configured',
      () =>
        send('POST', `/v1/payments/${UNKNOWN_ID}`, { entityId, paymentType: 'RF', amount: '1.00', currency: 'EUR' }),
    ],
    ['invalid Payment Method', () => pay({ ...withoutCard, paymentBrand: 'NONE' })],
    ['invalid or missing parameter', () => pay({ amount: 'x' })],
    ['cannot find transaction', () => send('GET', `/v1/payments/${UNKNOWN_ID}`, { entityId })],
    ['transaction declined (invalid card)', () => pay({ 'card.holder': '{800.100.151}' })],
    ['invalid authentication information', () => send('GET', '/v1/payments/x', {}, { authorization: 'Bearer x' })],
    ['invalid authentication information', () => send('GET', '/v1/payments/x', {}, { authorization: undefined })],
    [
      'Too many requests. Please try again later.',
      () => {
        depth = limits.commitDepthMax
        return pay()
      },
    ],
  ]
  test.each(phrases)('the description “%s” is kept', async (phrase, sendRequest) => {
    const { result } = (await sendRequest()).body
    expect(result.description).toContain(phrase)
    expect(isResultCode(result.code) && describeResult(result.code)).toBe(result.description)
  })
})

test.each<TestRequest>([
  { method: 'GET', url: '/v1/nothing' },
  { method: 'PUT', url: '/v1/payments/x', headers: { authorization } },
  { method: 'GET', url: '/v1/payments/x' },
  {
    method: 'POST',
    url: '/v1/payments',
    headers: { authorization, 'content-type': 'application/json' },
    payload: '{}',
  },
])('$method $url is answered in JSON, even if only HTML is accepted', async (refused) => {
  const { headers, body } = await request({ ...refused, headers: { accept: 'text/html', ...refused.headers } })
  expect(headers['content-type']).toBe('application/json;charset=UTF-8')
  expect(body.result).toEqual({ code: expect.any(String), description: expect.any(String) })
})
