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

const echoed = {
  merchantTransactionId: 'order-0007',
  merchantInvoiceId: 'invoice-0007',
  customer: { givenName: 'José', surname: 'Øster "Quote" <b>', browserFingerprint: { id: 'fp-1' } },
  billing: { street1: 'Hauptstraße 1', city: 'Köln', country: 'DE' },
  shipping: { customer: { email: 'jane@jones.example' } },
  cart: { items: [{ name: 'Tea', price: '1.00' }, { name: '茶' }] },
  customParameters: { order: '7', SHOPPER_note: 'line one\nline two\t😀' },
  standingInstruction: { type: 'UNSCHEDULED', mode: 'INITIAL', source: 'CIT' },
}

test('a payment echoes the structures that were sent, now and when it is read again', async () => {
  const paid = await pay(structures)
  expect(paid.status).toBe(200)
  expect(paid.body).toMatchObject(echoed)
  const read = await send('GET', `/v1/payments/${paid.body.id}`)
  expect(read.body).toMatchObject(echoed)
})

test('so do a registration, a refused payment and a refund', async () => {
  expect((await send('POST', '/v1/registrations', { ...cardWithoutPayment(), ...structures })).body).toMatchObject(
    echoed,
  )
  expect((await pay({ ...structures, 'card.number': '4200000000000001' })).body).toMatchObject(echoed)
  const { body } = await pay({})
  const refund = { ...structures, paymentType: 'RF', amount: '1.00', currency: 'EUR' }
  expect((await send('POST', `/v1/payments/${body.id}`, refund)).body).toMatchObject(echoed)
})

describe('a card number where none belongs', () => {
  const PAN = '4539578763621486'
  const MASKED = '*'.repeat(16)
  const GROUPED = '4539 5787-6362 1486'
  /** All that is stored, but the references of the test itself. */
  const stored = async (id: string) => JSON.stringify(await tollgate.gateway.storage.transactions([id]))

  test.each([PAN, GROUPED, `Jane ${PAN}`])('in a name: refused, and not repeated: %s', async (holder) => {
    const jane = { 'customer.givenName': 'Jane', 'customer.surname': holder }
    const wrong = await pay({ 'card.holder': holder, ...jane, 'shipping.middleName': holder })
    const message = 'must not hold a card number'
    expect(wrong.body.result.parameterErrors).toEqual([
      { name: 'card.holder', value: '***', message },
      { name: 'customer.surname', value: '***', message },
      { name: 'shipping.middleName', value: '***', message },
    ])
    expect((await send('POST', '/v1/registrations', cardWithoutPayment({ 'card.holder': holder }))).status).toBe(400)
    expect(JSON.stringify(tollgate.logged)).not.toContain(PAN)
  })

  test('in what a shopper types into the form of a checkout', async () => {
    const { body } = await send('POST', '/v1/checkouts', { amount: '1.00', currency: 'EUR', paymentType: 'DB' })
    const payload = formOf(cardWithoutPayment({ 'card.holder': GROUPED }))
    const url = `/v1/checkouts/${body.id}/payment`
    const wrong = await tollgate.request({ method: 'POST', url, headers: { 'content-type': FORM }, payload })
    expect([wrong.status, wrong.body.result.parameterErrors?.[0]?.name]).toEqual([400, 'card.holder'])
  })

  test('in free text: masked before anybody sees it', async () => {
    const texts = {
      descriptor: `Order ${PAN}`,
      merchantMemo: `paid with ${GROUPED}`,
      'customParameters[note]': PAN,
      'cart.items[0].description': `Card ${GROUPED} of Jane`,
      'billing.street1': PAN,
    }
    const { body } = await pay(texts)
    const seen = {
      descriptor: `Order ${MASKED}`,
      customParameters: { note: MASKED },
      cart: { items: [{ description: 'Card **** ****-**** **** of Jane' }] },
      billing: { street1: MASKED },
    }
    expect(body).toMatchObject(seen)
    expect((await send('GET', `/v1/payments/${body.id}`)).body).toMatchObject(seen)
    expect(await stored(body.id)).not.toMatch(/4539.?5787.?6362.?1486/)
    expect(await stored(body.id)).toContain('paid with **** ****-**** ****')
  })

  test('in a reference, one in ten of which passes the check by chance: comes back as it was sent', async () => {
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
    const found = await send('GET', '/v1/query', { merchantTransactionId: PAN })
    expect(found.body.payments[0].id).toBe(body.id)
  })

  test.each([
    [`customParameters[${PAN}]`, `customParameters[${MASKED}]`, 'must not hold a card number'],
    [`risk.parameters[${GROUPED}]`, 'risk.parameters[**** ****-**** ****]', 'must not hold a card number'],
    [`cart.items[${PAN}].name`, `cart.items[${MASKED}].name`, 'must have indexes from 0 to 999'],
  ])('in a name of a parameter: %s', async (name, shown, message) => {
    const { body, text } = await pay({ [name]: 'x' })
    expect(body.result.parameterErrors).toEqual([{ name: shown, value: 'x', message }])
    expect(text).not.toMatch(/4539.?5787/)
  })

  test('in an unknown parameter of a query, or an id that is none', async () => {
    const wrong = await send('GET', '/v1/query', { [PAN]: PAN })
    expect(wrong.body.result.parameterErrors).toEqual([expect.objectContaining({ name: MASKED, value: '' })])
    const offer = { amount: '1.00', currency: 'EUR', paymentType: 'DB', 'registrations[0].id': PAN }
    const refused = await send('POST', '/v1/checkouts', offer)
    expect(refused.body.result.parameterErrors).toEqual([
      expect.objectContaining({ name: 'registrations[0].id', value: MASKED }),
    ])
  })
})

test('merchantMemo is stored for reports, and no answer, query or event has it', async () => {
  const merchantMemo = 'as agreed with Jane'
  const { body, text } = await pay({ merchantMemo, merchantTransactionId: 'memo-4711' })
  const refund = { paymentType: 'RF', amount: '1.00', currency: 'EUR', merchantMemo }
  const refunded = await send('POST', `/v1/payments/${body.id}`, refund)
  const registration = await send('POST', '/v1/registrations', cardWithoutPayment({ merchantMemo }))
  const read = await send('GET', `/v1/payments/${body.id}`)
  const found = await send('GET', '/v1/query', {
    merchantTransactionId: 'memo-4711',
    includeLinkedTransactions: 'true',
  })
  for (const said of [text, refunded.text, registration.text, read.text, found.text])
    expect(said).not.toContain('agreed')
  const rows = await tollgate.gateway.storage.transactions([body.id, refunded.body.id, registration.body.id])
  expect(rows.map(({ facts }) => JSON.parse(facts).merchantMemo)).toEqual([merchantMemo, merchantMemo, merchantMemo])
})

test('an empty value of a custom parameter is a value, and of nothing else', async () => {
  const empty = { 'customParameters[note]': '', 'customParameters[more]': 'x' }
  const others = { 'merchant.data[note]': '', 'risk.parameters[note]': '', 'billing.city': '' }
  const kept = { note: '', more: 'x' }
  const { body, text } = await pay({ ...empty, ...others, 'customer.givenName': 'J', 'customer.surname': 'J' })
  expect(body.customParameters).toEqual(kept)
  expect(text).not.toMatch(/"(data|risk|billing)":/)
  expect((await send('GET', `/v1/payments/${body.id}`)).body.customParameters).toEqual(kept)
  expect((await send('GET', `/v1/query/${body.id}`)).body.customParameters).toEqual(kept)
  const prepared = { amount: '1.00', currency: 'EUR', paymentType: 'DB', ...empty }
  const checkout = await send('POST', '/v1/checkouts', prepared)
  const payload = formOf({ ...cardWithoutPayment(), 'customParameters[SHOPPER_colour]': '' })
  const url = `/v1/checkouts/${checkout.body.id}/payment`
  const paid = await tollgate.request({ method: 'POST', url, headers: { 'content-type': FORM }, payload })
  expect(paid.body.customParameters).toEqual({ ...kept, SHOPPER_colour: '' })
})

describe('names that mean something to JavaScript are only names', () => {
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('customParameters[%s]', async (name) => {
    const { status, text } = await pay({ [`customParameters[${name}]`]: 'value' })
    expect(status).toBe(200)
    expect(text).toContain(`"customParameters":{"${name}":"value"}`)
  })
})

test('every key of an answer is there once', async () => {
  const proof = { 'threeDSecure.eci': '05', 'threeDSecure.verificationId': 'AAACAgSRBklmQCFgMpEGAAAAAAA=' }
  const named = { 'merchant.name': 'Shop', 'customParameters[result]': 'x', descriptor: 'Order 7' }
  const { text } = await pay({ ...structures, ...proof, ...named, createRegistration: 'true' })
  const seen: string[] = []
  let depth = 0
  // A reviver would not see doubles: they are looked for in the text, on its first level.
  for (const [token, key] of text.matchAll(/[{[]|[}\]]|"((?:[^"\\]|\\.)*)"(?=:)|"(?:[^"\\]|\\.)*"/g)) {
    if (token === '{' || token === '[') depth += 1
    else if (token === '}' || token === ']') depth -= 1
    else if (depth === 1 && key !== undefined) seen.push(key)
  }
  expect(seen.length).toBeGreaterThan(15)
  expect(new Set(seen).size).toBe(seen.length)
})

test('secrets and what the answer renders itself are not echoed', async () => {
  const { body, text } = await pay({ ...structures, testMode: 'INTERNAL', createRegistration: 'true' })
  expect(text).not.toContain('4200000000000000')
  expect(body.card).not.toHaveProperty('number')
  expect(body.card).not.toHaveProperty('cvv')
  for (const name of ['entityId', 'testMode', 'createRegistration']) expect(body).not.toHaveProperty(name)
})
