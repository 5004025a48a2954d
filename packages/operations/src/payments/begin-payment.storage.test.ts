import { afterAll, describe, expect, test } from 'vitest'
import { sandboxIds } from '../directory/sandbox.ts'
import { cardPayment, comparableBody, type Parameters, testGateway } from '@tollgate/gateway/testing'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send } = tollgate

const pay = (changes?: Parameters) => send('POST', '/v1/payments', cardPayment(changes))

test('the answer to an approved debit has the fields of a typical payment response', async () => {
  const { status, body, headers } = await pay({ descriptor: 'Order 7', merchantTransactionId: 'order-0007' })
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('application/json;charset=UTF-8')
  expect(body).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{32}$/),
    paymentType: 'DB',
    paymentBrand: 'VISA',
    amount: '92.00',
    currency: 'EUR',
    descriptor: 'Order 7',
    merchantTransactionId: 'order-0007',
    result: {
      code: '000.100.110',
      description: "Request successfully processed in 'Merchant in Integrator Test Mode'",
      cvvResponse: 'M',
    },
    resultDetails: {
      ExtendedDescription: expect.any(String),
      clearingInstituteName: 'Tollgate Simulator',
      ConnectorTxID1: `SIM-${body.id}`,
      ConnectorTxID2: expect.stringMatching(/^\d{12}$/),
      ConnectorTxID3: expect.stringMatching(/^\d{6}$/),
      AcquirerResponse: '00',
      AuthCode: expect.any(String),
      CardholderInitiatedTransactionID: expect.any(String),
    },
    card: {
      bin: '420000',
      last4Digits: '0000',
      holder: 'Jane Jones',
      expiryMonth: '05',
      expiryYear: '2034',
      issuer: { bank: expect.any(String), phone: expect.any(String), website: expect.any(String) },
      type: 'CREDIT',
      level: '0001',
      regulatedFlag: 'false',
    },
    merchant: {
      bankAccount: { holder: 'Sandbox merchant', number: expect.any(String), bic: 'SSKMDEMMXXX', country: 'DE' },
    },
    buildNumber: expect.any(String),
    timestamp: '2026-05-04 03:02:01.000+0000',
    ndc: expect.any(String),
  })
})

test('two ndcs begin with the same 32 characters and differ, and no answer contains the channel id', async () => {
  const [first, second] = await Promise.all([pay(), pay()])
  expect(first.body.ndc.slice(0, 32)).toBe(second.body.ndc.slice(0, 32))
  expect(first.body.ndc).not.toBe(second.body.ndc)
  expect(first.text).not.toContain(sandboxIds.channel)
})

test.each(['PA', 'DB', 'CD'])('%s is approved and keeps its type', async (paymentType) => {
  const { status, body } = await pay({ paymentType })
  expect([status, body.paymentType, body.result.code]).toEqual([200, paymentType, '000.100.110'])
})

describe('amounts', () => {
  test.each([
    { amount: '92', currency: 'EUR', answered: '92.00' },
    { amount: '0092.50', currency: 'EUR', answered: '92.50' },
    { amount: '9999999999.99', currency: 'EUR', answered: '9999999999.99' },
    { amount: '92.00', currency: 'JPY', answered: '92.00' },
    { amount: '1.23', currency: 'KWD', answered: '1.23' },
  ])('$amount $currency is answered as $answered', async ({ amount, currency, answered }) => {
    const { body } = await pay({ amount, currency })
    expect([body.result.code, body.amount, body.currency]).toEqual(['000.100.110', answered, currency])
  })

  test.each([
    { amount: '92.50', currency: 'JPY', paymentType: 'DB', code: '100.550.303', answered: undefined },
    { amount: '0.00', currency: 'EUR', paymentType: 'DB', code: '100.550.300', answered: '0.00' },
    { amount: '0', currency: 'EUR', paymentType: 'CD', code: '100.550.300', answered: '0.00' },
  ])('$paymentType of $amount $currency is refused with $code', async ({ code, answered, ...changes }) => {
    const { status, body } = await pay(changes)
    expect([status, body.result.code, body.amount]).toEqual([400, code, answered])
  })

  test('a preauthorisation of zero verifies the account', async () => {
    const { status, body } = await pay({ paymentType: 'PA', amount: '0.00' })
    expect([status, body.result.code, body.amount]).toEqual([200, '000.100.110', '0.00'])
    expect(body.resultDetails.AcquirerResponse).toBe('85')
  })
})

describe('brands', () => {
  test.each([
    { number: '4200000000000000', sent: undefined, brand: 'VISA', detected: 'VISA' },
    { number: '5454545454545454', sent: undefined, brand: 'MASTER', detected: 'MASTER' },
    { number: '6250947000000014', sent: undefined, brand: 'UNIONPAY', detected: 'UNIONPAY' },
    { number: '5200828282828210', sent: 'MASTERDEBIT', brand: 'MASTERDEBIT', detected: 'MASTER' },
    { number: '4000002500001001', sent: 'CARTEBANCAIRE', brand: 'CARTEBANCAIRE', detected: 'VISA' },
    { number: '4200000000000000', sent: 'VISA', brand: 'VISA', detected: undefined },
  ])('the card $number with paymentBrand $sent is $brand, with brandResult $detected', async (row) => {
    const { number, sent, brand, detected } = row
    const { body } = await pay({ paymentBrand: sent, 'card.number': number })
    expect([body.result.code, body.paymentBrand, body.brandResult]).toEqual(['000.100.110', brand, detected])
  })

  test('a co-badged number is detected as a brand that the channel accepts', async () => {
    const mastercardRequest = { entityId: sandboxIds.mastercardChannel, paymentBrand: undefined }
    // The number is in a range of a domestic scheme and in a range of Mastercard.
    const { body } = await pay({ ...mastercardRequest, 'card.number': '5297410000000002' })
    expect([body.result.code, body.paymentBrand]).toEqual(['000.100.110', 'MASTER'])
  })
})

describe('cards that cannot be charged', () => {
  test.each<{ fault: string; changes: Parameters; code: string }>([
    { fault: 'a wrong check digit', changes: { 'card.number': '4200000000000001' }, code: '100.100.101' },
    { fault: 'too many digits', changes: { 'card.number': '42000000000000000000' }, code: '100.100.101' },
    { fault: 'an expired card', changes: { 'card.expiryMonth': '04', 'card.expiryYear': '2026' }, code: '100.100.303' },
    {
      fault: 'a number outside the ranges of all brands',
      changes: { 'card.number': '9999999999999995', paymentBrand: undefined },
      code: '100.100.500',
    },
    { fault: 'a brand that is not a card brand', changes: { paymentBrand: 'PAYPAL' }, code: '100.100.501' },
    { fault: 'an unknown brand', changes: { paymentBrand: 'FOO' }, code: '100.100.501' },
    { fault: 'a cvv with a wrong length', changes: { 'card.cvv': '1234' }, code: '100.100.601' },
    { fault: 'a number of another brand', changes: { paymentBrand: 'MASTER' }, code: '100.100.700' },
  ])('$fault: $code, with all fields of the payment in the answer', async ({ changes, code }) => {
    const { status, body } = await pay(changes)
    expect([status, body.result.code]).toEqual([400, code])
    expect(body).toMatchObject({
      paymentType: 'DB',
      amount: '92.00',
      currency: 'EUR',
      descriptor: expect.any(String),
      resultDetails: { ExtendedDescription: expect.any(String) },
      card: { last4Digits: (changes['card.number'] ?? '4200000000000000').slice(-4) },
    })
  })

  test('no digits of a short number are shown', async () => {
    const { status, body } = await pay({ 'card.number': '12345678' })
    expect([status, body.result.code]).toEqual([400, '100.100.101'])
    expect(body.card).toEqual({ holder: 'Jane Jones', expiryMonth: '05', expiryYear: '2034' })
  })

  test('a card is valid in its expiry month', async () => {
    const { body } = await pay({ 'card.expiryMonth': '05', 'card.expiryYear': '2026' })
    expect(body.result.code).toBe('000.100.110')
  })
})

describe('declines', () => {
  test.each<{ trigger: string; changes: Parameters; code: string }>([
    { trigger: 'by card number', changes: { 'card.number': '4000000000009995' }, code: '800.100.155' },
    { trigger: 'by holder', changes: { 'card.holder': '{800.100.151}' }, code: '800.100.151' },
    {
      trigger: 'by custom parameter',
      changes: { 'customParameters[forceResultCode]': '800.100.152' },
      code: '800.100.152',
    },
  ])('$trigger are answered with status 400 and all fields of the payment', async ({ changes, code }) => {
    const answer = await pay(changes)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      paymentType: 'DB',
      paymentBrand: 'VISA',
      amount: '92.00',
      currency: 'EUR',
      result: { code },
      resultDetails: { ExtendedDescription: expect.any(String), AcquirerResponse: expect.any(String) },
      card: { bin: expect.any(String) },
    })
    expect(answer.body.registrationId).toBeUndefined()
  })

  test('of an invalid card have the description that clients expect', async () => {
    const { body } = await pay({ 'card.holder': '{800.100.151}' })
    expect(body.result.description).toBe('transaction declined (invalid card)')
  })

  test('do not include a review, which is an approval', async () => {
    const { status, body } = await pay({ 'customParameters[forceResultCode]': '000.400.000' })
    expect([status, body.result.code]).toEqual([200, '000.400.000'])
  })

  test('include the merchant advice code of the acquirer', async () => {
    const { body } = await pay({ amount: '88851.02' })
    expect(body.resultDetails).toMatchObject({ AcquirerResponse: '51', MerchantAdviceCode: '02' })
  })
})

test.each(['A', 'Z', 'N', 'U', 'F'])('the address check %s of the acquirer is result.avsResponse', async (response) => {
  const { body } = await pay({ 'billing.street1': 'Main street 1', 'billing.postcode': `AVS${response}` })
  expect(body.result.avsResponse).toBe(response)
})

describe('descriptor', () => {
  test('defaults to the short id and the name of the channel', async () => {
    const { body } = await pay()
    expect(body.descriptor).toMatch(/^\d{4}\.\d{4}\.\d{4} Sandbox$/)
  })

  test('contains a channel name of the maximum length in full', async () => {
    const name = '😀'.repeat(100)
    const { body } = await tollgate.manage('POST', '/entities', {
      kind: 'channel',
      name,
      parentId: sandboxIds.merchant,
    })
    const answer = await pay({ entityId: body.id })
    expect(answer.body.descriptor).toMatch(/^\d{4}\.\d{4}\.\d{4} /)
    expect(answer.body.descriptor.slice(15)).toBe(name)
  })
})

describe('empty, unknown and optional parameters', () => {
  test('an empty value counts as absent', async () => {
    const { status, body } = await pay({ descriptor: '', paymentBrand: '', 'billing.street2': '' })
    expect(status).toBe(200)
    expect(body.descriptor).toMatch(/Sandbox$/)
    expect(body.brandResult).toBe('VISA')
    expect(body.billing).toBeUndefined()
  })

  test('an unknown parameter is ignored', async () => {
    const { status, body } = await pay({ recurringType: 'INITIAL', 'shipping.givenName': 'Jane', shopperOrigin: 'x' })
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('recurringType')
  })

  test('the proof of an external 3-D Secure server is accepted', async () => {
    const proof = { 'threeDSecure.eci': '05', 'threeDSecure.verificationId': 'AAACAgSRBklmQCFgMpEGAAAAAAA=' }
    const { status, body } = await pay({ entityId: sandboxIds.secureChannel, ...proof })
    expect([status, body.result.code]).toEqual([200, '000.100.110'])
    expect(body.threeDSecure).toMatchObject({ eci: '05' })
  })
})

describe('parameter errors', () => {
  test('are listed together, in the order of the contract, each with a message', async () => {
    const { status, body } = await pay({
      amount: '92.0',
      currency: 'XXQ',
      paymentType: 'XX',
      'card.expiryMonth': undefined,
      'card.cvv': '12',
      'customer.givenName': 'Jane',
    })
    expect(status).toBe(400)
    expect(body.result).toEqual({
      code: '200.300.404',
      description: 'invalid or missing parameter',
      parameterErrors: [
        { name: 'amount', value: '92.0', message: String.raw`must match ^[0-9]{1,10}(\.[0-9]{2})?$` },
        { name: 'currency', value: 'XXQ', message: expect.any(String) },
        { name: 'paymentType', value: 'XX', message: 'must be one of [PA, DB, CD]' },
        { name: 'card.expiryMonth', value: '', message: 'card properties must be set' },
        { name: 'card.cvv', value: '***', message: 'must match ^[0-9]{3,4}$' },
        { name: 'customer.surname', value: '', message: 'may not be empty' },
      ],
    })
  })

  test('mask an invalid card number', async () => {
    const { text, body } = await pay({ 'card.number': '4200-0000-0000-0000' })
    expect(body.result.parameterErrors).toEqual([
      { name: 'card.number', value: '***', message: 'must match ^[0-9]{8,32}$' },
    ])
    expect(text).not.toContain('4200-')
  })

  test('of an empty request list all required parameters', async () => {
    const { body } = await send('POST', '/v1/payments', { entityId: undefined })
    const names = body.result.parameterErrors.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['amount', 'currency', 'paymentBrand', 'paymentType', 'entityId'])
  })

  test('include the paymentType of a follow-up without the id of a payment', async () => {
    for (const path of ['/v1/payments', '/v1/payments/']) {
      const { status, body } = await send('POST', path, { paymentType: 'CP', amount: '92.00', currency: 'EUR' })
      expect([status, body.result.code]).toEqual([400, '200.300.404'])
      expect(body.result.parameterErrors).toContainEqual(
        expect.objectContaining({ name: 'paymentType', message: 'must be one of [PA, DB, CD]' }),
      )
    }
  })

  test('are answered without storing a payment', async () => {
    const { body } = await pay({ amount: 'x' })
    expect((await send('GET', `/v1/payments/${body.id}`)).status).toBe(404)
  })
})

test.each<{ payment: string; changes: Parameters }>([
  { payment: 'an approved payment', changes: {} },
  { payment: 'a declined payment', changes: { 'card.holder': '{800.100.151}' } },
  { payment: 'a refused payment', changes: { 'card.number': '4200000000000001' } },
  { payment: 'a payment with an invalid amount', changes: { amount: '92.50', currency: 'JPY' } },
])('a read of $payment returns the fields of its answer', async ({ changes }) => {
  const paid = await pay({ 'customParameters[order]': '7', 'billing.city': 'Köln', ...changes })
  tollgate.clock.nowMs += 1000
  const read = await send('GET', `/v1/payments/${paid.body.id}`)
  expect(read.status).toBe(200)
  expect(comparableBody(read)).toEqual(comparableBody(paid))
  expect(read.body.ndc).not.toBe(paid.body.ndc)
  expect(read.body.timestamp).not.toBe(paid.body.timestamp)
})
