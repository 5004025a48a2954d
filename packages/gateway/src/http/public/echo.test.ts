import { afterAll, describe, expect, test } from 'vitest'
import { cardAlone, cardPayment, type Parameters, testGateway } from '../../testing/test-gateway.ts'

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
  expect((await send('POST', '/v1/registrations', { ...cardAlone(), ...structures })).body).toMatchObject(echoed)
  expect((await pay({ ...structures, 'card.number': '4200000000000001' })).body).toMatchObject(echoed)
  const { body } = await pay({})
  const refund = { ...structures, paymentType: 'RF', amount: '1.00', currency: 'EUR' }
  expect((await send('POST', `/v1/payments/${body.id}`, refund)).body).toMatchObject(echoed)
})

test('digits in free text are the merchant’s: echoed as sent, masked in an error, never logged', async () => {
  // Sixteen digits that pass the Luhn check, as an order number does one time in ten.
  const order = '4000000000000002'
  const texts = { 'customParameters[order]': order, merchantTransactionId: order, merchantMemo: order }
  const { body } = await pay(texts)
  expect(body).toMatchObject({ customParameters: { order }, merchantTransactionId: order, merchantMemo: order })
  expect((await send('GET', `/v1/payments/${body.id}`)).body).toMatchObject({ merchantMemo: order })
  const wrong = await pay({ ...texts, merchantMemo: order.repeat(16) })
  expect(wrong.body.result.parameterErrors).toEqual([expect.objectContaining({ name: 'merchantMemo', value: '***' })])
  expect(JSON.stringify(tollgate.logged)).not.toContain(order)
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
