import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeForm } from './decode-form.ts'
import { echoOf } from './echo.ts'
import { codePoint } from './testing/code-point.ts'

const echo = (parameters: Record<string, string>): unknown =>
  JSON.parse(JSON.stringify(echoOf(decodeForm(new TextEncoder().encode(new URLSearchParams(parameters).toString())))))

test('structures are nested', () => {
  expect(
    echo({
      merchantTransactionId: 'order-0001',
      'customer.givenName': 'Jane',
      'customer.browser.language': 'de',
      'shipping.customer.surname': 'Jones',
      'merchant.billing.city': 'Berlin',
      'threeDSecure.eci': '05',
      'threeDSecure.schemeData[CB-USECASE]': '01',
      'standingInstruction.mode': 'INITIAL',
      'customParameters[a.b]': 'x',
    }),
  ).toEqual({
    merchantTransactionId: 'order-0001',
    customer: { givenName: 'Jane', browser: { language: 'de' } },
    shipping: { customer: { surname: 'Jones' } },
    merchant: { billing: { city: 'Berlin' } },
    threeDSecure: { eci: '05', schemeData: { 'CB-USECASE': '01' } },
    standingInstruction: { mode: 'INITIAL' },
    customParameters: { 'a.b': 'x' },
  })
})

test('indexes become lists in their order, without gaps', () => {
  expect(
    echo({
      'cart.items[7].name': 'second',
      'cart.items[3].name': 'first',
      'cart.items[7].price': '1.00',
      'airline.passengers[10].legs[5].flightNumber': 'B',
      'airline.passengers[10].legs[0].flightNumber': 'A',
      'airline.passengers[9].name': 'Jones',
    }),
  ).toEqual({
    cart: {
      items: [
        { quantityUnit: 'COUNT', name: 'first' },
        { quantityUnit: 'COUNT', name: 'second', price: '1.00' },
      ],
    },
    airline: { passengers: [{ name: 'Jones' }, { legs: [{ flightNumber: 'A' }, { flightNumber: 'B' }] }] },
  })
})

test('the default unit of an item is COUNT', () => {
  const items = { 'cart.items[0].quantity': '2', 'cart.items[1].quantityUnit': 'KG', 'cart.payments[0].amount': '1.00' }
  expect(echo(items)).toEqual({
    cart: { items: [{ quantity: '2', quantityUnit: 'COUNT' }, { quantityUnit: 'KG' }], payments: [{ amount: '1.00' }] },
  })
})

test('secrets, instructions to the service, and values that the answer renders itself are not echoed', () => {
  expect(
    echo({
      entityId: '0'.repeat(32),
      amount: '1',
      currency: 'EUR',
      paymentBrand: 'VISA',
      paymentType: 'DB',
      descriptor: 'shop',
      testMode: 'INTERNAL',
      createRegistration: 'true',
      'card.holder': 'Jane Jones',
      'card.number': '4200000000000000',
      'card.cvv': '123',
      'bankAccount.iban': 'DE89370400440532013000',
      'bankAccount.holder': 'Jane Jones',
      'bankAccount.mandate.dateOfSignature': '2026-05-04',
      'walletA.paymentToken': '{}',
      'recipient.accountNumber': '4200000000000000',
      shopperResultUrl: 'https://shop.example/',
    }),
  ).toEqual({})
})

test('an echo is added to the structures of the answer', () => {
  const form = decodeForm(new TextEncoder().encode('merchant.name=Shop&customParameters%5Border%5D=7'))
  const bankAccount = { holder: 'Shop Ltd' }
  expect(echoOf(form, { merchant: { bankAccount } })).toEqual({
    merchant: { bankAccount, name: 'Shop' },
    customParameters: { order: '7' },
  })
})

test('the structure of the paying account is not echoed, because the answer renders it', () => {
  const parameters = { 'giftCard.message': 'Enjoy', 'giftCard.number': '6006491234567890', 'walletA.source': 'web' }
  const form = decodeForm(new TextEncoder().encode(new URLSearchParams(parameters).toString()))
  expect(echoOf(form)).toEqual({ giftCard: { message: 'Enjoy' }, walletA: { source: 'web' } })
  expect(echoOf(form, {}, 'giftCard')).toEqual({ walletA: { source: 'web' } })
})

test('a map key may be the name of a property of Object.prototype', () => {
  const keys = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '123', 'prototype']
  const parameters = Object.fromEntries(keys.map((key) => [`customParameters[${key}]`, key]))
  const text = JSON.stringify(echo(parameters))
  for (const key of keys) expect(text).toContain(`"${key}":"${key}"`)
})

test('every custom parameter is echoed as it was sent', () => {
  const keys = fc.stringMatching(/^[A-Za-z0-9._]{3,64}$/)
  fc.assert(
    fc.property(fc.dictionary(keys, fc.string({ unit: codePoint, minLength: 1 })), (sent) => {
      const parameters = Object.fromEntries(
        Object.entries(sent).map(([key, value]) => [`customParameters[${key}]`, value]),
      )
      expect(echo(parameters)).toEqual(Object.keys(sent).length === 0 ? {} : { customParameters: sent })
    }),
  )
})
