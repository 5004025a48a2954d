import { MINUTE_MS } from '@tollgate/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandboxIds, sandboxToken } from '../directory/sandbox.ts'
import {
  cardWithoutPayment,
  cardPayment,
  FORM,
  formOf,
  type Parameters,
  summary,
  type TestAnswer,
  type TestGateway,
  testGateway,
} from '@tollgate/gateway/testing'

let tollgate: TestGateway

beforeAll(async () => (tollgate = await testGateway()))
afterAll(() => tollgate.close())

const prepared = {
  amount: '92.00',
  currency: 'EUR',
  paymentType: 'DB',
  shopperResultUrl: 'https://shop.example/done?x=1',
}
const card = cardWithoutPayment()

async function create(parameters: Parameters = prepared): Promise<string> {
  const { body } = await tollgate.send('POST', '/v1/checkouts', parameters)
  return body.id
}

/** As the widget's frames send it: without a token. */
const submit = (id: string, parameters: Parameters, what = 'payment'): Promise<TestAnswer> =>
  tollgate.request({
    method: 'POST',
    url: `/v1/checkouts/${id}/${what}`,
    headers: { 'content-type': FORM },
    payload: formOf(parameters),
  })

const status = (id: string, what = 'payment'): Promise<TestAnswer> =>
  tollgate.send('GET', `/v1/checkouts/${id}/${what}`)

test('a checkout is prepared, paid by the shopper without a token, and read by the merchant', async () => {
  const created = await tollgate.send('POST', '/v1/checkouts', { ...prepared, merchantTransactionId: 'order-123' })
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

test('the paths are there without a version segment, too', async () => {
  const { body } = await tollgate.send('POST', '/checkouts', prepared)
  const paid = await tollgate.request({
    method: 'POST',
    url: `/checkouts/${body.id}/payment`,
    headers: { 'content-type': FORM },
    payload: formOf(card),
  })
  expect(summary(paid)).toEqual([200, '000.100.110'])
  expect(summary(await tollgate.send('GET', `/checkouts/${body.id}/payment`))).toEqual([200, '000.100.110'])
})

test('a declined payment may be tried again; a paid one is not paid twice', async () => {
  const id = await create()
  const declined = await submit(id, { ...card, 'card.holder': '{800.100.151}' })
  expect(summary(declined)).toEqual([400, '800.100.151'])
  expect(summary(await status(id))).toEqual([200, '800.100.151'])
  expect(summary(await submit(id, card))).toEqual([200, '000.100.110'])
  expect(summary(await submit(id, card))).toEqual([400, '700.400.100'])
  expect(summary(await status(id))).toEqual([200, '000.100.110'])
})

test('the installments that a shopper chooses reach the payment', async () => {
  const id = await create()
  const { body } = await submit(id, { ...card, 'recurring.numberOfInstallments': '3' })
  expect([body.result.code, body['recurring']]).toEqual(['000.100.110', { numberOfInstallments: '3' }])
  const other = await create()
  const refused = await submit(other, { ...card, 'recurring.numberOfInstallments': 'three' })
  expect(refused.body.result.parameterErrors?.map(({ name }: { name: string }) => name)).toEqual([
    'recurring.numberOfInstallments',
  ])
})

test.each([
  ['800.100.153', 'cvv'],
  ['800.100.157', 'expiry'],
  ['800.100.155', 'funds'],
  ['800.100.159', 'generic'],
] as const)('who submits is told of the decline %s: %s', async (code, reason) => {
  const id = await create()
  const { body } = await submit(id, { ...card, 'card.holder': `{${code}}` })
  expect(body['declineReason']).toBe(reason)
  const { body: read } = await status(id)
  expect([read.result.code, 'declineReason' in read]).toEqual([code, false])
  const { body: paid } = await submit(id, card)
  expect('declineReason' in paid).toBe(false)
})

test('who submits is not told whether a card is stolen, and the merchant is', async () => {
  const bodies = []
  for (const code of ['800.100.159', '800.100.158', '800.100.152']) {
    const id = await create()
    const { status: http, body } = await submit(id, { ...card, 'card.holder': `{${code}}` })
    bodies.push({ http, result: body.result, details: body['resultDetails'], keys: Object.keys(body) })
    const { body: read } = await status(id)
    expect([read.result.code, 'resultDetails' in read]).toEqual([code, true])
  }
  const [first] = bodies
  expect(first?.result).toEqual({ code: '800.100.152', description: 'Declined by the authorisation system' })
  expect(first?.details).toBe(undefined)
  expect(bodies).toEqual([first, first, first])
})

test('of ten submits at once one pays', async () => {
  const id = await create()
  const answers = await Promise.all(Array.from({ length: 10 }, () => submit(id, card)))
  const paid = answers.filter((answer) => answer.status === 200)
  expect(paid.map(summary)).toEqual([[200, '000.100.110']])
  expect(new Set(answers.map(({ body }) => body.result.code))).toEqual(new Set(['000.100.110', '700.400.100']))
})

describe('an id that is of no use is told apart', () => {
  const unknown = `${'0'.repeat(32)}.test`

  test.each([
    ['an unknown one', unknown, 'there is no such checkout'],
    ['one of the other environment', `${'0'.repeat(32)}.live`, 'the other environment'],
  ])('%s', async (_what, id, words) => {
    for (const answer of [await status(id), await submit(id, card)]) {
      expect(summary(answer)).toEqual([404, '200.300.404'])
      expect(answer.body.resultDetails.ExtendedDescription).toContain(words)
    }
  })

  test('one that expired, after 30 minutes', async () => {
    const id = await create()
    tollgate.clock.nowMs += 30 * MINUTE_MS - 1
    expect(summary(await status(id))).toEqual([200, '000.200.000'])
    tollgate.clock.nowMs += 1
    for (const answer of [await status(id), await submit(id, card)]) {
      expect(summary(answer)).toEqual([404, '200.300.404'])
      expect(answer.body.resultDetails.ExtendedDescription).toContain('expired')
    }
  })

  test('another merchant’s looks like none', async () => {
    const id = await create()
    const other = await tollgate.manage('POST', '/entities', { kind: 'division', name: 'D', parentId: sandboxIds.psp })
    const merchant = await tollgate.manage('POST', '/entities', {
      kind: 'merchant',
      name: 'M',
      parentId: other.body.id,
    })
    const { body } = await tollgate.manage('POST', '/tokens', { entityId: merchant.body.id })
    const answer = await tollgate.request({
      method: 'GET',
      url: `/v1/checkouts/${id}/payment`,
      headers: { authorization: `Bearer ${body.token}` },
    })
    expect(summary(answer)).toEqual([404, '200.300.404'])
    expect(answer.body.resultDetails.ExtendedDescription).toContain('there is no such checkout')
  })
})

test('its status may be read twice a minute', async () => {
  const id = await create()
  expect([summary(await status(id)), summary(await status(id))]).toEqual([
    [200, '000.200.000'],
    [200, '000.200.000'],
  ])
  const third = await status(id)
  expect(summary(third)).toEqual([429, '800.120.100'])
  expect(third.headers['retry-after']).toBe('60')
  tollgate.clock.nowMs += MINUTE_MS
  expect(summary(await status(id))).toEqual([200, '000.200.000'])
})

describe('declined attempts are bounded', () => {
  const declined = (code = '800.100.151') => ({ ...card, 'card.holder': `{${code}}` })
  const throttled = (answer: TestAnswer) => [...summary(answer), Number(answer.headers['retry-after']) > 0]
  let clean: TestGateway
  beforeAll(async () => (clean = await testGateway()))
  afterAll(() => clean.close())

  const createAt = async (parameters: Parameters = prepared): Promise<string> =>
    (await clean.send('POST', '/v1/checkouts', parameters)).body.id
  const submitAt = (id: string, parameters: Parameters, from = '198.51.100.1', what = 'payment') =>
    clean.request({
      method: 'POST',
      url: `/v1/checkouts/${id}/${what}`,
      headers: { 'content-type': FORM },
      payload: formOf(parameters),
      remoteAddress: from,
    })

  test('ten end a checkout, whose status stays readable', async () => {
    const id = await createAt()
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(summary(await submitAt(id, declined()))).toEqual([400, '800.100.151'])
    }
    const ended = await submitAt(id, card)
    expect([throttled(ended), ended.body.resultDetails.ExtendedDescription]).toEqual([
      [429, '800.120.100', true],
      expect.stringContaining('create another'),
    ])
    expect(summary(await clean.send('GET', `/v1/checkouts/${id}/payment`))).toEqual([200, '800.100.151'])
    const view = await clean.server.inject({ method: 'GET', url: `/pages/checkouts/${id}` })
    expect(view.json()).toMatchObject({ state: 'gone' })
    expect(summary(await submitAt(await createAt(), card))).toEqual([200, '000.100.110'])
  })

  test('and the same of a registration', async () => {
    const entityId = sandboxIds.channel
    await clean.manage('PATCH', `/entities/${entityId}`, { settings: { verifyRegistrations: true } })
    const id = await createAt({ createRegistration: 'true' })
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const answer = await submitAt(id, declined(), '198.51.100.2', 'registration')
      expect(summary(answer)).toEqual([400, '800.100.151'])
    }
    expect(throttled(await submitAt(id, card, '198.51.100.2', 'registration'))).toEqual([429, '800.120.100', true])
    await clean.manage('PATCH', `/entities/${entityId}`, { settings: { verifyRegistrations: null } })
  })

  test('what is cancelled, or fails for want of a connection, does not count', async () => {
    const id = await createAt()
    for (const code of Array<string>(11).fill('900.100.300')) await submitAt(id, declined(code), '198.51.100.3')
    expect(summary(await submitAt(id, card, '198.51.100.3'))).toEqual([200, '000.100.110'])
  })

  test('thirty in an hour end a card, however many checkouts try it at once', async () => {
    const stolen = { ...declined(), 'card.number': '4111111111111111' }
    const ids = await Promise.all(Array.from({ length: 40 }, () => createAt()))
    const answers = await Promise.all(ids.map((id, index) => submitAt(id, stolen, `203.0.113.${index}`)))
    const codes = answers.map(({ body }) => body.result.code)
    expect(codes.filter((code) => code === '800.100.151')).toHaveLength(30)
    expect(codes.filter((code) => code === '800.120.100')).toHaveLength(10)
    const number = { ...card, 'card.number': '4111111111111111' }
    expect(throttled(await submitAt(await createAt(), number, '203.0.113.99'))).toEqual([429, '800.120.100', true])
    expect(summary(await submitAt(await createAt(), card, '203.0.113.99'))).toEqual([200, '000.100.110'])
    clean.clock.nowMs += 60 * MINUTE_MS
    expect(summary(await submitAt(await createAt(), number, '203.0.113.99'))).toEqual([200, '000.100.110'])
  })

  test('sixty in an hour end an address, whatever is tried from it; a channel may say otherwise', async () => {
    await clean.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings: { declines: { card: 'off' } } })
    const from = '2001:db8:1:2::7'
    for (let attempt = 0; attempt < 60; attempt += 1) await submitAt(await createAt(), declined(), from)
    const same = '2001:db8:1:2:ffff::1'
    expect(throttled(await submitAt(await createAt(), card, same))).toEqual([429, '800.120.100', true])
    expect(summary(await submitAt(await createAt(), card, '2001:db8:1:3::7'))).toEqual([200, '000.100.110'])
    await clean.manage('PATCH', `/entities/${sandboxIds.channel}`, {
      settings: { declines: { card: 'off', address: 'off' } },
    })
    expect(summary(await submitAt(await createAt(), card, same))).toEqual([200, '000.100.110'])
  })
})

test('what a shopper may not say is refused by name, and what the merchant prepared stands', async () => {
  const named = { 'customer.givenName': 'Jane', 'customer.surname': 'Jones', 'customer.email': 'jane@shop.example' }
  const id = await create({ ...prepared, ...named })
  const answer = await submit(id, { ...card, amount: '0.01', 'customParameters[note]': 'x', notificationUrl: 'x:/y' })
  expect(summary(answer)).toEqual([400, '200.300.404'])
  const names = answer.body.result.parameterErrors.map(({ name }: { name: string }) => name)
  expect(names).toEqual(['amount', 'customParameters[note]', 'notificationUrl'])
  const paid = await submit(id, { ...card, 'customer.email': 'mallory@shop.example' })
  expect(paid.body.customer).toMatchObject({ email: 'jane@shop.example' })
})

test('what is wrong in the whole of it is told by name, and the card number is masked', async () => {
  const id = await create()
  const answer = await submit(id, { ...card, 'card.number': '12ab', 'card.expiryMonth': undefined })
  const errors = answer.body.result.parameterErrors.map(({ name, value }: Parameters) => [name, value])
  expect(errors).toEqual([['card.number', '***']])
  const missing = await submit(id, { ...card, 'card.expiryMonth': undefined })
  expect(missing.body.result.parameterErrors).toEqual([
    { name: 'card.expiryMonth', value: '', message: 'card properties must be set' },
  ])
})

test('what the widget tells of the browser asks for nothing more of the customer', async () => {
  const browser = { 'customer.browser.language': 'de', 'customer.browser.screenWidth': '320' }
  expect(summary(await submit(await create(), { ...card, ...browser }))).toEqual([200, '000.100.110'])
  const answer = await submit(await create(), { ...card, ...browser, 'customer.email': 'jane@jones.example' })
  const errors = answer.body.result.parameterErrors.map(({ name }: { name: string }) => name)
  expect(errors).toEqual(['customer.givenName', 'customer.surname'])
})

test('secrets are not prepared', async () => {
  const answer = await tollgate.send('POST', '/v1/checkouts', { ...prepared, 'card.number': '4200000000000000' })
  expect(summary(answer)).toEqual([400, '200.300.404'])
  expect(answer.body.result.parameterErrors).toEqual([
    { name: 'card.number', value: '***', message: 'is entered by the shopper, in the widget' },
  ])
})

test('a checkout is changed until it is paid', async () => {
  const id = await create()
  const update = (parameters: Parameters) => tollgate.send('POST', `/v1/checkouts/${id}`, parameters)
  expect(summary(await update({ amount: '15.99' }))).toEqual([200, '000.200.101'])
  expect(summary(await update({ 'overridePaymentType[VISA]': 'PA' }))).toEqual([400, '200.300.404'])
  expect((await submit(id, card)).body.amount).toBe('15.99')
  expect(summary(await update({ amount: '1.00' }))).toEqual([400, '700.400.100'])
})

test('a brand may have a payment type of its own', async () => {
  const id = await create({ ...prepared, 'overridePaymentType[VISA]': 'PA' })
  const paid = await submit(id, { ...card, paymentBrand: undefined })
  expect([paid.body.paymentType, paid.body.paymentBrand]).toEqual(['PA', 'VISA'])
})

test('details are stored without a payment', async () => {
  const id = await create({ createRegistration: 'true' })
  expect(summary(await submit(id, card))).toEqual([400, '200.300.404'])
  expect(summary(await status(id, 'registration'))).toEqual([200, '000.200.000'])
  const stored = await submit(id, card, 'registration')
  expect(summary(stored)).toEqual([200, '000.100.110'])
  expect((await status(id, 'registration')).body.id).toBe(stored.body.id)
  expect(summary(await tollgate.send('GET', `/v1/registrations/${stored.body.id}`))).toEqual([200, '000.100.110'])
  expect(summary(await submit(id, card, 'registration'))).toEqual([400, '700.400.100'])
})

test('stored details that are offered pay by one click, others do not', async () => {
  const [one, other] = [
    await tollgate.send('POST', '/v1/registrations', card),
    await tollgate.send('POST', '/v1/registrations', card),
  ]
  const id = await create({ ...prepared, 'registrations[0].id': one.body.id })
  expect(summary(await submit(id, { registrationId: other.body.id }))).toEqual([400, '200.300.404'])
  const paid = await submit(id, { registrationId: one.body.id, 'card.cvv': '123' })
  expect([summary(paid), paid.body.registrationId]).toEqual([[200, '000.100.110'], one.body.id])
  const wrong = await tollgate.send('POST', '/v1/checkouts', { ...prepared, 'registrations[0].id': 'f'.repeat(32) })
  expect(wrong.body.result.parameterErrors[0].name).toBe('registrations[0].id')
})

test('a channel may send shoppers back to its own addresses only', async () => {
  await tollgate.manage('PATCH', `/entities/${sandboxIds.masterChannel}`, {
    settings: { shopperResultOrigins: ['https://shop.example', 'shop:'] },
  })
  const at = async (shopperResultUrl: string) => {
    const sent = { ...prepared, entityId: sandboxIds.masterChannel, shopperResultUrl }
    return summary(await tollgate.send('POST', '/v1/checkouts', sent))
  }
  expect(await at('https://shop.example/a?b')).toEqual([200, '000.200.100'])
  expect(await at('shop://done')).toEqual([200, '000.200.100'])
  expect(await at('https://shop.example.evil.example/')).toEqual([400, '600.300.211'])
  expect(await at('https://shop.example@evil.example/')).toEqual([400, '600.300.211'])
})

test.each([
  ['relative', '/relative'],
  ['of a script', 'javascript:alert(1)'],
  ['too long', `https://shop.example/${'x'.repeat(2048)}`],
])('a shopperResultUrl that is %s is refused by name', async (_what, shopperResultUrl) => {
  const answer = await tollgate.send('POST', '/v1/checkouts', { ...prepared, shopperResultUrl })
  expect(summary(answer)).toEqual([400, '200.300.404'])
  expect(answer.body.result.parameterErrors[0].name).toBe('shopperResultUrl')
})

test.each(['payment', 'registration'])('an unpaid %s has the id of its checkout', async (what) => {
  const id = await create(what === 'payment' ? prepared : { createRegistration: 'true' })
  const answer = await status(id, what)
  expect([summary(answer), answer.body.id]).toEqual([[200, '000.200.000'], id])
})

describe('the status without a login', () => {
  const read = (id: string, what = 'payment', query = '') =>
    tollgate.server.inject({ method: 'GET', url: `/v1/checkouts/${id}/${what}${query}` })
  const open = (entity: string, checkoutStatusWithoutLogin: boolean | null) =>
    tollgate.manage('PATCH', `/entities/${entity}`, { settings: { checkoutStatusWithoutLogin } })
  const onLegacy = { ...prepared, entityId: sandboxIds.legacyChannel }

  test('is 401, unless the channel is a legacy one and allows it', async () => {
    const [legacy, strict] = [await create(onLegacy), await create()]
    expect((await read(legacy)).statusCode).toBe(401)
    await open(sandboxIds.legacyChannel, true)
    await open(sandboxIds.channel, true)
    expect((await read(strict)).statusCode).toBe(401)
    expect((await read('0'.repeat(32))).statusCode).toBe(401)
    const unpaid = await read(legacy)
    expect([unpaid.statusCode, unpaid.json().result.code]).toEqual([200, '000.200.000'])
    const paid = await submit(legacy, card)
    const after = await read(legacy)
    expect([after.statusCode, after.json().id]).toEqual([200, paid.body.id])
    await open(sandboxIds.legacyChannel, null)
    await open(sandboxIds.channel, null)
    expect((await read(legacy)).statusCode).toBe(401)
  })

  test('of a registration, too; and for the entity of the checkout alone, twice a minute', async () => {
    await open(sandboxIds.legacyChannel, true)
    const id = await create({ createRegistration: 'true', entityId: sandboxIds.legacyChannel })
    const answers = [
      await read(id, 'registration', `?entityId=${sandboxIds.channel}`),
      await read(id, 'registration', `?entityId=${sandboxIds.legacyChannel}`),
      await read(id, 'registration'),
      await read(id, 'registration'),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 200, 200, 429])
    const withToken = await tollgate.server.inject({
      method: 'GET',
      url: `/v1/checkouts/${id}/registration`,
      headers: { authorization: 'Bearer wrong' },
    })
    expect(withToken.statusCode).toBe(403)
    await open(sandboxIds.legacyChannel, null)
  })

  test('each change of it is a line of the audit log', async () => {
    await open(sandboxIds.legacyChannel, true)
    await open(sandboxIds.legacyChannel, true)
    await open(sandboxIds.legacyChannel, null)
    const lines = tollgate.logged.filter(({ audit }) => audit === 'checkoutStatusWithoutLogin changed').slice(-2)
    expect(lines.map(({ entity, value }) => [entity, value])).toEqual([
      [sandboxIds.legacyChannel, 'true'],
      [sandboxIds.legacyChannel, 'inherited'],
    ])
  })
})

test('a merchant whose channels are all older ones gets no id for what is not paid either', async () => {
  const { body: merchant } = await tollgate.manage('POST', '/entities', {
    kind: 'merchant',
    name: 'Dispatching',
    parentId: sandboxIds.division,
    settings: { dispatching: true, compatibility: 'legacy' },
  })
  await tollgate.manage('POST', '/entities', { kind: 'channel', name: 'One', parentId: merchant.id })
  const { body: token } = await tollgate.manage('POST', '/tokens', { entityId: merchant.id })
  const authorization = `Bearer ${token.token}`
  const { body } = await tollgate.request({
    method: 'POST',
    url: '/v1/checkouts',
    headers: { authorization, 'content-type': FORM },
    payload: formOf({ ...prepared, entityId: merchant.id }),
  })
  const url = `/v1/checkouts/${body.id}/payment`
  const answer = await tollgate.server.inject({ method: 'GET', url, headers: { authorization } })
  expect(answer.json()).toMatchObject({ result: { code: '000.200.000' }, ndc: body.id })
  expect(answer.json()).not.toHaveProperty('id')
})

test('older clients get no id for what is not paid', async () => {
  const legacy = { ...prepared, entityId: sandboxIds.legacyChannel }
  const { body } = await tollgate.send('POST', '/v1/checkouts', legacy)
  const answer = await tollgate.server.inject({
    method: 'GET',
    url: `/v1/checkouts/${body.id}/payment?entityId=${sandboxIds.legacyChannel}`,
    headers: { authorization: `Bearer ${sandboxToken}` },
  })
  expect(answer.json()).toMatchObject({ result: { code: '000.200.000' }, ndc: body.id })
  expect(answer.json().id).toBeUndefined()
})

test('what merchants are told of a payment is the answer that the shopper got', async () => {
  const id = await create()
  const paid = await submit(id, cardPayment({ amount: undefined, currency: undefined, paymentType: undefined }))
  expect(paid.body.ndc).toBe(id)
})
