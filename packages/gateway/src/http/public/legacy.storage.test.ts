import { afterAll, describe, expect, test } from 'vitest'
import { sandboxIds, sandboxToken } from '@tollgate/operations'
import {
  cardWithoutPayment,
  cardPayment,
  FORM,
  formOf,
  type Parameters,
  summary,
  testGateway,
} from '../../testing/test-gateway.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { request, send } = tollgate

const jane = { 'customer.givenName': 'Jane', 'customer.surname': 'Jones' }

const payOn = (entityId: string) => (changes: Parameters) =>
  send('POST', '/v1/payments', cardPayment({ entityId, ...changes }))
const payOnLegacy = payOn(sandboxIds.legacyChannel)
const payOnStrict = payOn(sandboxIds.channel)

describe('requests of older clients are accepted on legacy channels only', () => {
  test.each<{ name: string; changes: Parameters }>([
    { name: 'paymentType PA.CP', changes: { paymentType: 'PA.CP' } },
    { name: 'a short merchantTransactionId', changes: { merchantTransactionId: '7' } },
    {
      name: 'a phone in any format',
      changes: { 'customer.phone': 'ext. 7', 'customer.givenName': 'J', 'customer.surname': 'J' },
    },
    {
      name: 'a mobile in any format',
      changes: { 'customer.mobile': '(0)30 / 12-34', 'customer.givenName': 'J', 'customer.surname': 'J' },
    },
    { name: 'a shipping phone in any format', changes: { 'shipping.phone': 'ring twice', 'shipping.mobile': '?' } },
    { name: 'customer fields without a name', changes: { 'customer.email': 'jane@jones.example' } },
    {
      name: 'a postcode and city with spaces',
      changes: { 'billing.postcode': 'SW1A 1AA', 'shipping.city': 'New York' },
    },
    { name: 'a short invoice number', changes: { merchantInvoiceId: '7' } },
    { name: 'an amount of 12 digits', changes: { amount: '123456789012.34' } },
    { name: 'createRegistration=1', changes: { createRegistration: '1' } },
    { name: 'createRegistration=False', changes: { createRegistration: 'False' } },
    { name: 'javaEnabled=TRUE', changes: { ...jane, 'customer.browser.javaEnabled': 'TRUE' } },
  ])('$name', async ({ changes }) => {
    expect(summary(await payOnLegacy(changes))).toEqual([200, '000.100.110'])
    expect(summary(await payOnStrict(changes))).toEqual([400, '200.300.404'])
  })
})

test('PA.CP is answered and refunded as a debit', async () => {
  const { body } = await payOnLegacy({ paymentType: 'PA.CP' })
  expect(body.paymentType).toBe('DB')
  const refund = { entityId: sandboxIds.legacyChannel, paymentType: 'RF', amount: '92.00', currency: 'EUR' }
  expect(summary(await send('POST', `/v1/payments/${body.id}`, refund))).toEqual([200, '000.100.110'])
})

test('the Mastercard channel of the sandbox is a legacy channel and accepts no other brand', async () => {
  const payOnMastercard = payOn(sandboxIds.mastercardChannel)
  const MASTER = { paymentBrand: 'MASTER', 'card.number': '5454545454545454' }
  expect(summary(await payOnMastercard({ paymentType: 'PA.CP', ...MASTER }))).toEqual([200, '000.100.110'])
  expect(summary(await payOnMastercard({ paymentType: 'PA.CP' }))).toEqual([400, '600.200.500'])
})

test('PA.CP is accepted with a stored card', async () => {
  const entityId = sandboxIds.legacyChannel
  const { body } = await send('POST', '/v1/registrations', cardWithoutPayment({ entityId }))
  const debit = { entityId, amount: '92.00', currency: 'EUR', paymentType: 'PA.CP' }
  expect(summary(await send('POST', `/v1/registrations/${body.id}/payments`, debit))).toEqual([200, '000.100.110'])
})

describe('a refund by the id of a preauthorisation', () => {
  const entityId = sandboxIds.legacyChannel
  const euros = (amount: string) => ({ amount, currency: 'EUR' })
  const followUp = (id: string, parameters: Parameters) =>
    send('POST', `/v1/payments/${id}`, { entityId, ...parameters })
  const preauthorise = async (captures: readonly string[]) => {
    const { body } = await payOnLegacy({ paymentType: 'PA' })
    const answers = []
    for (const amount of captures) answers.push(await followUp(body.id, { paymentType: 'CP', ...euros(amount) }))
    return { id: body.id, captureIds: answers.map((answer) => answer.body.id) }
  }

  test('refunds its only capture, whose id is the referencedId', async () => {
    const { id, captureIds } = await preauthorise(['60.00'])
    const refunded = await followUp(id, { paymentType: 'RF', ...euros('50.00') })
    expect([summary(refunded), refunded.body.referencedId]).toEqual([[200, '000.100.110'], captureIds[0]])
    const refused = await followUp(id, { paymentType: 'RF', ...euros('10.01') })
    expect([summary(refused), refused.body.referencedId]).toEqual([[400, '700.400.200'], captureIds[0]])
    expect(summary(await followUp(captureIds[0], { paymentType: 'RF', ...euros('10.00') }))).toEqual([
      200,
      '000.100.110',
    ])
  })

  test.each([{ captures: [] }, { captures: ['60.00', '32.00'] }])(
    'is refused after the captures $captures',
    async ({ captures }) => {
      const { id } = await preauthorise(captures)
      const refused = await followUp(id, { paymentType: 'RF', ...euros('1.00') })
      expect([summary(refused), refused.body.referencedId]).toEqual([[400, '700.400.520'], id])
    },
  )

  test('is refused on a strict channel', async () => {
    const { body } = await payOnStrict({ paymentType: 'PA' })
    const strictRequest = { entityId: sandboxIds.channel, ...euros('92.00') }
    await send('POST', `/v1/payments/${body.id}`, { ...strictRequest, paymentType: 'CP' })
    const refused = await send('POST', `/v1/payments/${body.id}`, { ...strictRequest, paymentType: 'RF' })
    expect(summary(refused)).toEqual([400, '700.400.520'])
  })
})

test('the error of a wrong paymentType lists the types of the channel', async () => {
  const message = async (pay: typeof payOnLegacy) =>
    (await pay({ paymentType: 'XX' })).body.result.parameterErrors[0].message
  expect(await message(payOnLegacy)).toBe('must be one of [PA, DB, CD, PA.CP]')
  expect(await message(payOnStrict)).toBe('must be one of [PA, DB, CD]')
})

test.each(['1', 'True', 'TRUE'])('createRegistration=%s stores a registration', async (createRegistration) => {
  expect((await payOnLegacy({ createRegistration })).body.registrationId).toMatch(/^[0-9a-f]{32}$/)
})

test.each(['0', 'False', 'FALSE'])('createRegistration=%s stores no registration', async (createRegistration) => {
  expect((await payOnLegacy({ createRegistration })).body).not.toHaveProperty('registrationId')
})

test.each([
  [sandboxIds.legacyChannel, [200, '000.200.100'], true],
  [sandboxIds.channel, [400, '200.300.404'], false],
])('a checkout on %s with integrity=True is answered with %j', async (entityId, expected, hasIntegrity) => {
  const checkout = { entityId, amount: '1.00', currency: 'EUR', paymentType: 'DB', integrity: 'True' }
  const answer = await send('POST', '/v1/checkouts', checkout)
  expect([summary(answer), 'integrity' in answer.body]).toEqual([expected, hasIntegrity])
})

describe('parameters that are sent twice', () => {
  const entityId = sandboxIds.legacyChannel
  const authorization = `Bearer ${sandboxToken}`
  const post = (url: string, form: Parameters, repeated: string, headers: Parameters = { authorization }) =>
    request({
      method: 'POST',
      url,
      headers: { 'content-type': FORM, ...headers },
      payload: `${formOf(form)}&${repeated}`,
    })
  const STATE = 'billing.state=BW&billing.state=BY'

  test('have their last value in a payment, including secrets', async () => {
    const repeated = `${STATE}&descriptor=first&descriptor=second&card.number=4200000000000000`
    const { status, body } = await post('/v1/payments', cardPayment({ entityId, 'card.number': '1' }), repeated)
    expect([status, body.billing, body.descriptor]).toEqual([200, { state: 'BY' }, 'second'])
    expect(body.card).toMatchObject({ bin: '420000', last4Digits: '0000' })
  })

  test('have their last value in a checkout, its update and its payment', async () => {
    const prepared = { entityId, amount: '1.00', currency: 'EUR', paymentType: 'DB' }
    const { body } = await post('/v1/checkouts', prepared, STATE)
    const update = await post(`/v1/checkouts/${body.id}`, { entityId }, 'descriptor=a&descriptor=b')
    expect(summary(update)).toEqual([200, '000.200.101'])
    const card = cardWithoutPayment({ 'card.holder': 'John' })
    const paid = await post(`/v1/checkouts/${body.id}/payment`, card, 'card.holder=Jane+Jones&card.cvv=123', {})
    expect([paid.status, paid.body.card.holder, paid.body.descriptor, paid.body.billing]).toEqual([
      200,
      'Jane Jones',
      'b',
      { state: 'BY' },
    ])
  })

  test('have their last value in a registration, its update and a query', async () => {
    const stored = await post('/v1/registrations', cardWithoutPayment({ entityId }), STATE)
    expect([stored.status, stored.body.billing]).toEqual([200, { state: 'BY' }])
    const url = `/v1/registrations/${stored.body.id}`
    const updated = await post(url, { entityId }, 'card.holder=John+Jones&card.holder=Joan+Jones')
    expect([updated.status, updated.body.card?.holder]).toEqual([200, 'Joan Jones'])
    const query = `entityId=${entityId}&paymentTypes=DB&paymentTypes=RG&includeLinkedTransactions=TRUE`
    const queried = await request({ method: 'GET', url: `/v1/query?${query}`, headers: { authorization } })
    expect([queried.status, queried.body.payments.some(({ id }: { id: string }) => id === stored.body.id)]).toEqual([
      200,
      true,
    ])
  })

  test('have their last value in a login', async () => {
    const login = {
      'authentication.userId': 'unknown',
      'authentication.password': 'wrong',
      'authentication.entityId': sandboxIds.channel,
    }
    const user = `authentication.userId=${sandboxIds.user}&authentication.password=sandbox`
    const validLogin = `${user}&authentication.entityId=${entityId}`
    const payment = cardPayment({ ...login })
    expect(summary(await post('/v1/payments', payment, validLogin, {}))).toEqual([200, '000.100.110'])
  })

  test('are refused with their names on a strict channel', async () => {
    const strictRequest = cardPayment({ entityId: sandboxIds.channel })
    const { status, body } = await post('/v1/payments', strictRequest, `${STATE}&card.cvv=123`)
    expect([status, body.result.code]).toEqual([400, '200.300.404'])
    expect(body.result.parameterErrors).toEqual([
      { name: 'card.cvv', value: '***', message: 'must be sent once' },
      { name: 'billing.state', value: 'BY', message: 'must be sent once' },
    ])
  })
})

test('a refund on a legacy channel may have a short merchantTransactionId', async () => {
  const { body } = await payOnLegacy({ merchantTransactionId: '7' })
  const refund = {
    entityId: sandboxIds.legacyChannel,
    paymentType: 'RF',
    amount: '92',
    currency: 'EUR',
    merchantTransactionId: '8',
  }
  const refunded = await send('POST', `/v1/payments/${body.id}`, refund)
  expect([refunded.status, refunded.body.merchantTransactionId]).toEqual([200, '8'])
})

test('an amount of 12 digits is answered in full, also for a refund and for a refusal', async () => {
  const entityId = sandboxIds.legacyChannel
  const { body: paid } = await payOnLegacy({ amount: '123456789012' })
  const refund = () =>
    send('POST', `/v1/payments/${paid.id}`, { entityId, paymentType: 'RF', amount: '123456789012', currency: 'EUR' })
  const [refunded, refused] = [await refund(), await refund()]
  expect([refunded.status, refused.status]).toEqual([200, 400])
  for (const { amount } of [paid, refunded.body, refused.body]) expect(amount).toBe('123456789012.00')
})

test('legacy channels also refuse a malformed amount or currency and a missing entityId', async () => {
  expect(summary(await payOnLegacy({ amount: '92.0' }))).toEqual([400, '200.300.404'])
  expect(summary(await payOnLegacy({ currency: 'eur' }))).toEqual([400, '200.300.404'])
  expect(summary(await payOnLegacy({ entityId: undefined }))).toEqual([400, '200.300.404'])
})
