import { expect, test } from 'vitest'
import { allowedParameters } from './parameters.ts'

test.each([
  'paymentBrand',
  'registrationId',
  'createRegistration',
  'shopperResultUrl',
  'card.holder',
  'card.expiryMonth',
  'card.expiryYear',
  'bankAccount.iban',
  'billing.street1',
  'customer.givenName',
  'customer.browser.screenWidth',
  'customParameters[SHOPPER_colour]',
])('%s is allowed from the page', (name) => expect(allowedParameters([[name, 'x']])).toEqual([[name, 'x']]))

test.each([
  'amount',
  'currency',
  'entityId',
  'paymentType',
  'testMode',
  'card.number',
  'card.cvv',
  'customParameters[colour]',
  'customParameters[xSHOPPER_colour]',
  'merchantTransactionId',
  'shipping.city',
  'threeDSecure.eci',
  'standingInstruction.mode',
  'xcard.holder',
])('%s is not allowed from the page', (name) => expect(allowedParameters([[name, 'x']])).toEqual([]))

test('of several values of a parameter, the last nonempty value is sent', () => {
  const pairs = [
    ['card.holder', 'Jane'],
    ['card.holder', 'John'],
    ['card.holder', ''],
  ] as const
  expect(allowedParameters(pairs)).toEqual([['card.holder', 'John']])
})

test('empty, overlong and surplus parameters are dropped', () => {
  expect(allowedParameters([['card.holder', '']])).toEqual([])
  expect(allowedParameters([['card.holder', 'x'.repeat(2_049)]])).toEqual([])
  expect(allowedParameters(Array.from({ length: 101 }, (_, index) => [`billing.x${index}`, 'x']))).toHaveLength(100)
})
