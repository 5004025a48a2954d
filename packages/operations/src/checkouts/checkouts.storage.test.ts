import { afterAll, expect, test } from 'vitest'
import { cardPayment, FORM, formOf, type Parameters, summary, testGateway } from '@tollgate/gateway/testing'
import { card, checkoutParameters, checkoutRequests } from '../testing/checkout-requests.ts'
import { sandboxIds } from '../directory/sandbox.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { create, submit, status } = checkoutRequests(tollgate)

test('a checkout is prepared, paid by the shopper without a token, and read by the merchant', async () => {
  const created = await tollgate.send('POST', '/v1/checkouts', {
    ...checkoutParameters,
    merchantTransactionId: 'order-123',
  })
  expect(summary(created)).toEqual([200, '000.200.100'])
  const { id } = created.body
  expect(id).toMatch(/^[0-9A-F]{32}\.test$/)
  expect(created.body.ndc).toBe(id)
  const unpaid = await status(id)
  expect([summary(unpaid), unpaid.body.id, unpaid.body.ndc]).toEqual([[200, '000.200.000'], id, id])

  const paid = await submit(id, { ...card, 'customParameters[SHOPPER_note]': 'hello' })
  expect(summary(paid)).toEqual([200, '000.100.110'])
  expect(paid.headers['access-control-allow-origin']).toBe('*')
  expect(paid.body).toMatchObject({
    amount: '92.00',
    currency: 'EUR',
    paymentType: 'DB',
    merchantTransactionId: 'order-123',
    customParameters: { SHOPPER_note: 'hello' },
    ndc: id,
  })
  const read = await status(id)
  expect({ ...read.body, timestamp: '' }).toEqual({ ...paid.body, timestamp: '' })
  const payment = await tollgate.send('GET', `/v1/payments/${paid.body.id}`)
  expect(payment.body.id).toBe(paid.body.id)
})

test('the paths of checkouts also work without a version segment', async () => {
  const { body } = await tollgate.send('POST', '/checkouts', checkoutParameters)
  const paid = await tollgate.request({
    method: 'POST',
    url: `/checkouts/${body.id}/payment`,
    headers: { 'content-type': FORM },
    payload: formOf(card),
  })
  expect(summary(paid)).toEqual([200, '000.100.110'])
  expect(summary(await tollgate.send('GET', `/checkouts/${body.id}/payment`))).toEqual([200, '000.100.110'])
})

test('a declined checkout can be submitted again, but a paid checkout cannot', async () => {
  const id = await create()
  const declined = await submit(id, { ...card, 'card.holder': '{800.100.151}' })
  expect(summary(declined)).toEqual([400, '800.100.151'])
  expect(summary(await status(id))).toEqual([200, '800.100.151'])
  expect(summary(await submit(id, card))).toEqual([200, '000.100.110'])
  expect(summary(await submit(id, card))).toEqual([400, '700.400.100'])
  expect(summary(await status(id))).toEqual([200, '000.100.110'])
})

test('the payment has the number of instalments that its shopper chose', async () => {
  const id = await create()
  const { body } = await submit(id, { ...card, 'recurring.numberOfInstallments': '3' })
  expect([body.result.code, body['recurring']]).toEqual(['000.100.110', { numberOfInstallments: '3' }])
  const refused = await submit(await create(), { ...card, 'recurring.numberOfInstallments': 'three' })
  expect(refused.body.result.parameterErrors?.map(({ name }: { name: string }) => name)).toEqual([
    'recurring.numberOfInstallments',
  ])
})

test.each([
  ['800.100.153', 'cvv'],
  ['800.100.157', 'expiry'],
  ['800.100.155', 'funds'],
  ['800.100.159', 'generic'],
] as const)('the answer to the submit of a checkout declined with %s has the reason %s', async (code, reason) => {
  const id = await create()
  const { body } = await submit(id, { ...card, 'card.holder': `{${code}}` })
  expect(body['declineReason']).toBe(reason)
  const { body: read } = await status(id)
  expect([read.result.code, 'declineReason' in read]).toEqual([code, false])
  const { body: paid } = await submit(id, card)
  expect('declineReason' in paid).toBe(false)
})

test('the answer to the submit does not reveal a stolen card; the answer to the merchant does', async () => {
  const bodies = []
  for (const code of ['800.100.159', '800.100.158', '800.100.152']) {
    const id = await create()
    const { status: httpStatus, body } = await submit(id, { ...card, 'card.holder': `{${code}}` })
    bodies.push({ httpStatus, result: body.result, details: body['resultDetails'], keys: Object.keys(body) })
    const { body: read } = await status(id)
    expect([read.result.code, 'resultDetails' in read]).toEqual([code, true])
  }
  const [first] = bodies
  expect(first?.result).toEqual({ code: '800.100.152', description: 'Declined by the authorisation system' })
  expect(first?.details).toBe(undefined)
  expect(bodies).toEqual([first, first, first])
})

test('parameters that shoppers must not send are refused by name, and prepared parameters stay', async () => {
  const customer = { 'customer.givenName': 'Jane', 'customer.surname': 'Jones', 'customer.email': 'jane@shop.example' }
  const id = await create({ ...checkoutParameters, ...customer })
  const answer = await submit(id, { ...card, amount: '0.01', 'customParameters[note]': 'x', notificationUrl: 'x:/y' })
  expect(summary(answer)).toEqual([400, '200.300.404'])
  const names = answer.body.result.parameterErrors.map(({ name }: { name: string }) => name)
  expect(names).toEqual(['amount', 'customParameters[note]', 'notificationUrl'])
  const paid = await submit(id, { ...card, 'customer.email': 'mallory@shop.example' })
  expect(paid.body.customer).toMatchObject({ email: 'jane@shop.example' })
})

test('invalid parameters are reported by name, and the card number is masked', async () => {
  const id = await create()
  const answer = await submit(id, { ...card, 'card.number': '12ab', 'card.expiryMonth': undefined })
  const errors = answer.body.result.parameterErrors.map(({ name, value }: Parameters) => [name, value])
  expect(errors).toEqual([['card.number', '***']])
  const missing = await submit(id, { ...card, 'card.expiryMonth': undefined })
  expect(missing.body.result.parameterErrors).toEqual([
    { name: 'card.expiryMonth', value: '', message: 'card properties must be set' },
  ])
})

test('the browser data of the widget make no further customer parameters mandatory', async () => {
  const browser = { 'customer.browser.language': 'de', 'customer.browser.screenWidth': '320' }
  expect(summary(await submit(await create(), { ...card, ...browser }))).toEqual([200, '000.100.110'])
  const answer = await submit(await create(), { ...card, ...browser, 'customer.email': 'jane@jones.example' })
  const errors = answer.body.result.parameterErrors.map(({ name }: { name: string }) => name)
  expect(errors).toEqual(['customer.givenName', 'customer.surname'])
})

test('card data cannot be prepared', async () => {
  const answer = await tollgate.send('POST', '/v1/checkouts', {
    ...checkoutParameters,
    'card.number': '4200000000000000',
  })
  expect(summary(answer)).toEqual([400, '200.300.404'])
  expect(answer.body.result.parameterErrors).toEqual([
    { name: 'card.number', value: '***', message: 'is entered by the shopper, in the widget' },
  ])
})

test('a checkout can be changed until it is paid, except for overridePaymentType', async () => {
  const id = await create()
  const update = (parameters: Parameters) => tollgate.send('POST', `/v1/checkouts/${id}`, parameters)
  expect(summary(await update({ amount: '15.99' }))).toEqual([200, '000.200.101'])
  expect(summary(await update({ 'overridePaymentType[VISA]': 'PA' }))).toEqual([400, '200.300.404'])
  expect((await submit(id, card)).body.amount).toBe('15.99')
  expect(summary(await update({ amount: '1.00' }))).toEqual([400, '700.400.100'])
})

test('a brand may have a payment type of its own', async () => {
  const id = await create({ ...checkoutParameters, 'overridePaymentType[VISA]': 'PA' })
  const paid = await submit(id, { ...card, paymentBrand: undefined })
  expect([paid.body.paymentType, paid.body.paymentBrand]).toEqual(['PA', 'VISA'])
})

test('a checkout can store an account without a payment', async () => {
  const id = await create({ createRegistration: 'true' })
  expect(summary(await submit(id, card))).toEqual([400, '200.300.404'])
  expect(summary(await status(id, 'registration'))).toEqual([200, '000.200.000'])
  const stored = await submit(id, card, 'registration')
  expect(summary(stored)).toEqual([200, '000.100.110'])
  expect((await status(id, 'registration')).body.id).toBe(stored.body.id)
  expect(summary(await tollgate.send('GET', `/v1/registrations/${stored.body.id}`))).toEqual([200, '000.100.110'])
  expect(summary(await submit(id, card, 'registration'))).toEqual([400, '700.400.100'])
})

test('a checkout is paid only with a registration that it offers', async () => {
  const [offered, notOffered] = [
    await tollgate.send('POST', '/v1/registrations', card),
    await tollgate.send('POST', '/v1/registrations', card),
  ]
  const id = await create({ ...checkoutParameters, 'registrations[0].id': offered.body.id })
  expect(summary(await submit(id, { registrationId: notOffered.body.id }))).toEqual([400, '200.300.404'])
  const paid = await submit(id, { registrationId: offered.body.id, 'card.cvv': '123' })
  expect([summary(paid), paid.body.registrationId]).toEqual([[200, '000.100.110'], offered.body.id])
  const refused = await tollgate.send('POST', '/v1/checkouts', {
    ...checkoutParameters,
    'registrations[0].id': 'f'.repeat(32),
  })
  expect(refused.body.result.parameterErrors[0].name).toBe('registrations[0].id')
})

test('a shopperResultUrl is refused unless shopperResultOrigins of the channel permits it', async () => {
  await tollgate.manage('PATCH', `/entities/${sandboxIds.mastercardChannel}`, {
    settings: { shopperResultOrigins: ['https://shop.example', 'shop:'] },
  })
  const createWith = async (shopperResultUrl: string) => {
    const sent = { ...checkoutParameters, entityId: sandboxIds.mastercardChannel, shopperResultUrl }
    return summary(await tollgate.send('POST', '/v1/checkouts', sent))
  }
  expect(await createWith('https://shop.example/a?b')).toEqual([200, '000.200.100'])
  expect(await createWith('shop://done')).toEqual([200, '000.200.100'])
  expect(await createWith('https://shop.example.evil.example/')).toEqual([400, '600.300.211'])
  expect(await createWith('https://shop.example@evil.example/')).toEqual([400, '600.300.211'])
})

test.each([
  ['relative', '/relative'],
  ['a script', 'javascript:alert(1)'],
  ['too long', `https://shop.example/${'x'.repeat(2048)}`],
])('a shopperResultUrl that is %s is refused by name', async (_case, shopperResultUrl) => {
  const answer = await tollgate.send('POST', '/v1/checkouts', { ...checkoutParameters, shopperResultUrl })
  expect(summary(answer)).toEqual([400, '200.300.404'])
  expect(answer.body.result.parameterErrors[0].name).toBe('shopperResultUrl')
})

test('the ndc of the answer to a submit is the id of the checkout', async () => {
  const id = await create()
  const paid = await submit(id, cardPayment({ amount: undefined, currency: undefined, paymentType: undefined }))
  expect(paid.body.ndc).toBe(id)
})
