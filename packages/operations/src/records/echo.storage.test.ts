import { afterAll, describe, expect, test } from 'vitest'
import { cardWithoutPayment, cardPayment, FORM, formOf, type Parameters, testGateway } from '@tollgate/gateway/testing'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { send } = tollgate

const pay = (changes: Parameters) => send('POST', '/v1/payments', cardPayment(changes))

const structures: Parameters = {
  merchantTransactionId: 'order-0007',
  merchantInvoiceId: 'invoice-0007',
  'customer.givenName': 'José',
  'customer.surname': 'Øster "Quote" <b>',
  'customer.browserFingerprint.id': 'fp-1',
  'billing.street1': 'Hauptstraße 1',
  'billing.city': 'Köln',
  'billing.country': 'DE',
  'shipping.customer.email': 'jane@jones.example',
  'cart.items[0].name': 'Tea',
  'cart.items[0].price': '1.00',
  'cart.items[7].name': '茶',
  'customParameters[order]': '7',
  'customParameters[SHOPPER_note]': 'line one\nline two\t😀',
  'standingInstruction.type': 'UNSCHEDULED',
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.source': 'CIT',
}

const echo = {
  merchantTransactionId: 'order-0007',
  merchantInvoiceId: 'invoice-0007',
  customer: { givenName: 'José', surname: 'Øster "Quote" <b>', browserFingerprint: { id: 'fp-1' } },
  billing: { street1: 'Hauptstraße 1', city: 'Köln', country: 'DE' },
  shipping: { customer: { email: 'jane@jones.example' } },
  cart: { items: [{ name: 'Tea', price: '1.00' }, { name: '茶' }] },
  customParameters: { order: '7', SHOPPER_note: 'line one\nline two\t😀' },
  standingInstruction: { type: 'UNSCHEDULED', mode: 'INITIAL', source: 'CIT' },
}

test('the answer and the status of a payment echo the sent structures', async () => {
  const paid = await pay(structures)
  expect(paid.status).toBe(200)
  expect(paid.body).toMatchObject(echo)
  const status = await send('GET', `/v1/payments/${paid.body.id}`)
  expect(status.body).toMatchObject(echo)
})

test('a registration, a refused payment and a refund echo the sent structures', async () => {
  expect((await send('POST', '/v1/registrations', { ...cardWithoutPayment(), ...structures })).body).toMatchObject(echo)
  expect((await pay({ ...structures, 'card.number': '4200000000000001' })).body).toMatchObject(echo)
  const { body } = await pay({})
  const refund = { ...structures, paymentType: 'RF', amount: '1.00', currency: 'EUR' }
  expect((await send('POST', `/v1/payments/${body.id}`, refund)).body).toMatchObject(echo)
})

describe('a card number in a parameter for other data', () => {
  const PAN = '4539578763621486'
  const MASKED = '*'.repeat(16)
  const GROUPED = '4539 5787-6362 1486'
  /** The stored transaction as JSON. */
  const stored = async (id: string) => JSON.stringify(await tollgate.gateway.storage.transactions([id]))

  test.each([PAN, GROUPED, `Jane ${PAN}`])('is refused in a name and masked in the answer: %s', async (holder) => {
    const jane = { 'customer.givenName': 'Jane', 'customer.surname': holder }
    const refused = await pay({ 'card.holder': holder, ...jane, 'shipping.middleName': holder })
    const message = 'must not hold a card number'
    expect(refused.body.result.parameterErrors).toEqual([
      { name: 'card.holder', value: '***', message },
      { name: 'customer.surname', value: '***', message },
      { name: 'shipping.middleName', value: '***', message },
    ])
    expect((await send('POST', '/v1/registrations', cardWithoutPayment({ 'card.holder': holder }))).status).toBe(400)
    expect(JSON.stringify(tollgate.logged)).not.toContain(PAN)
  })

  test('is refused in the form of a checkout', async () => {
    const { body } = await send('POST', '/v1/checkouts', { amount: '1.00', currency: 'EUR', paymentType: 'DB' })
    const payload = formOf(cardWithoutPayment({ 'card.holder': GROUPED }))
    const url = `/v1/checkouts/${body.id}/payment`
    const refused = await tollgate.request({ method: 'POST', url, headers: { 'content-type': FORM }, payload })
    expect([refused.status, refused.body.result.parameterErrors?.[0]?.name]).toEqual([400, 'card.holder'])
  })

  test('is masked in free text before it is stored or shown', async () => {
    const texts = {
      descriptor: `Order ${PAN}`,
      merchantMemo: `paid with ${GROUPED}`,
      'customParameters[note]': PAN,
      'cart.items[0].description': `Card ${GROUPED} of Jane`,
      'billing.street1': PAN,
    }
    const { body } = await pay(texts)
    const maskedTexts = {
      descriptor: `Order ${MASKED}`,
      customParameters: { note: MASKED },
      cart: { items: [{ description: 'Card **** ****-**** **** of Jane' }] },
      billing: { street1: MASKED },
    }
    expect(body).toMatchObject(maskedTexts)
    expect((await send('GET', `/v1/payments/${body.id}`)).body).toMatchObject(maskedTexts)
    expect(await stored(body.id)).not.toMatch(/4539.?5787.?6362.?1486/)
    expect(await stored(body.id)).toContain('paid with **** ****-**** ****')
  })

  test('is echoed unchanged in a reference, because one reference in ten passes the Luhn check by chance', async () => {
    const references = {
      merchantTransactionId: PAN,
      merchantInvoiceId: PAN,
      'cart.items[0].merchantItemId': PAN,
      'airline.passengers[0].ticketNumber': PAN,
      'customer.merchantCustomerId': PAN,
      'customer.givenName': 'Jane',
      'customer.surname': 'Jones',
    }
    const { body } = await pay(references)
    expect(body).toMatchObject({
      merchantTransactionId: PAN,
      merchantInvoiceId: PAN,
      cart: { items: [{ merchantItemId: PAN }] },
      airline: { passengers: [{ ticketNumber: PAN }] },
      customer: { merchantCustomerId: PAN },
    })
    const query = await send('GET', '/v1/query', { merchantTransactionId: PAN })
    expect(query.body.payments[0].id).toBe(body.id)
  })

  test.each([
    [`customParameters[${PAN}]`, `customParameters[${MASKED}]`, 'must not hold a card number'],
    [`risk.parameters[${GROUPED}]`, 'risk.parameters[**** ****-**** ****]', 'must not hold a card number'],
    [`cart.items[${PAN}].name`, `cart.items[${MASKED}].name`, 'must have indexes from 0 to 999'],
  ])('is refused and masked in the name of a parameter: %s', async (name, masked, message) => {
    const { body, text } = await pay({ [name]: 'x' })
    expect(body.result.parameterErrors).toEqual([{ name: masked, value: 'x', message }])
    expect(text).not.toMatch(/4539.?5787/)
  })

  test('is masked in an unknown parameter of a query and in an invalid id', async () => {
    const refused = await send('GET', '/v1/query', { [PAN]: PAN })
    expect(refused.body.result.parameterErrors).toEqual([expect.objectContaining({ name: MASKED, value: '' })])
    const offer = { amount: '1.00', currency: 'EUR', paymentType: 'DB', 'registrations[0].id': PAN }
    const checkout = await send('POST', '/v1/checkouts', offer)
    expect(checkout.body.result.parameterErrors).toEqual([
      expect.objectContaining({ name: 'registrations[0].id', value: MASKED }),
    ])
  })
})

test('merchantMemo is stored for reports and contained in no answer', async () => {
  const merchantMemo = 'as agreed with Jane'
  const { body, text } = await pay({ merchantMemo, merchantTransactionId: 'memo-4711' })
  const refund = { paymentType: 'RF', amount: '1.00', currency: 'EUR', merchantMemo }
  const refunded = await send('POST', `/v1/payments/${body.id}`, refund)
  const registration = await send('POST', '/v1/registrations', cardWithoutPayment({ merchantMemo }))
  const status = await send('GET', `/v1/payments/${body.id}`)
  const query = await send('GET', '/v1/query', {
    merchantTransactionId: 'memo-4711',
    includeLinkedTransactions: 'true',
  })
  for (const answer of [text, refunded.text, registration.text, status.text, query.text])
    expect(answer).not.toContain('agreed')
  const rows = await tollgate.gateway.storage.transactions([body.id, refunded.body.id, registration.body.id])
  expect(rows.map(({ facts }) => JSON.parse(facts).merchantMemo)).toEqual([merchantMemo, merchantMemo, merchantMemo])
})

test('an empty value is kept for a custom parameter and ignored for other parameters', async () => {
  const empty = { 'customParameters[note]': '', 'customParameters[more]': 'x' }
  const otherEmpty = { 'merchant.data[note]': '', 'risk.parameters[note]': '', 'billing.city': '' }
  const expected = { note: '', more: 'x' }
  const { body, text } = await pay({ ...empty, ...otherEmpty, 'customer.givenName': 'J', 'customer.surname': 'J' })
  expect(body.customParameters).toEqual(expected)
  expect(text).not.toMatch(/"(data|risk|billing)":/)
  expect((await send('GET', `/v1/payments/${body.id}`)).body.customParameters).toEqual(expected)
  expect((await send('GET', `/v1/query/${body.id}`)).body.customParameters).toEqual(expected)
  const checkoutParameters = { amount: '1.00', currency: 'EUR', paymentType: 'DB', ...empty }
  const checkout = await send('POST', '/v1/checkouts', checkoutParameters)
  const payload = formOf({ ...cardWithoutPayment(), 'customParameters[SHOPPER_colour]': '' })
  const url = `/v1/checkouts/${checkout.body.id}/payment`
  const paid = await tollgate.request({ method: 'POST', url, headers: { 'content-type': FORM }, payload })
  expect(paid.body.customParameters).toEqual({ ...expected, SHOPPER_colour: '' })
})

describe('names of members of JavaScript objects are accepted', () => {
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('in customParameters[%s]', async (name) => {
    const { status, text } = await pay({ [`customParameters[${name}]`]: 'value' })
    expect(status).toBe(200)
    expect(text).toContain(`"customParameters":{"${name}":"value"}`)
  })
})

test('an answer contains each top-level key once', async () => {
  const proof = { 'threeDSecure.eci': '05', 'threeDSecure.verificationId': 'AAACAgSRBklmQCFgMpEGAAAAAAA=' }
  const descriptive = { 'merchant.name': 'Shop', 'customParameters[result]': 'x', descriptor: 'Order 7' }
  const { text } = await pay({ ...structures, ...proof, ...descriptive, createRegistration: 'true' })
  const keys: string[] = []
  let depth = 0
  // JSON.parse drops duplicate keys, so the top-level keys are read from the text.
  for (const [token, key] of text.matchAll(/[{[]|[}\]]|"((?:[^"\\]|\\.)*)"(?=:)|"(?:[^"\\]|\\.)*"/g)) {
    if (token === '{' || token === '[') depth += 1
    else if (token === '}' || token === ']') depth -= 1
    else if (depth === 1 && key !== undefined) keys.push(key)
  }
  expect(keys.length).toBeGreaterThan(15)
  expect(new Set(keys).size).toBe(keys.length)
})

test('secrets, entityId, testMode and createRegistration are not echoed', async () => {
  const { body, text } = await pay({ ...structures, testMode: 'INTERNAL', createRegistration: 'true' })
  expect(text).not.toContain('4200000000000000')
  expect(body.card).not.toHaveProperty('number')
  expect(body.card).not.toHaveProperty('cvv')
  for (const name of ['entityId', 'testMode', 'createRegistration']) expect(body).not.toHaveProperty(name)
})
