import { expect, test } from 'vitest'
import { decodeForm } from './decode-form.ts'
import { findParameter, parseName, rowsOf } from './names.ts'

test.each([
  ['amount', 'amount', ['amount']],
  ['customer.browser.userAgent', 'customer.browser.userAgent', ['customer', 'browser', 'userAgent']],
  ['applePay.source', 'walletA.source', ['walletA', 'source']],
  ['googlePay.paymentToken', 'walletB.paymentToken', ['walletB', 'paymentToken']],
  ['samsungPay.source', 'walletC.source', ['walletC', 'source']],
  ['cart.items[0].name', 'cart.items[0].name', ['cart', 'items', 0, 'name']],
  ['cart.items[999].recipient.city', 'cart.items[999].recipient.city', ['cart', 'items', 999, 'recipient', 'city']],
  [
    'airline.passengers[1].legs[2].fareBasis',
    'airline.passengers[1].legs[2].fareBasis',
    ['airline', 'passengers', 1, 'legs', 2, 'fareBasis'],
  ],
  ['customParameters[__proto__]', 'customParameters[__proto__]', ['customParameters', '__proto__']],
  ['customParameters[a.b]', 'customParameters[a.b]', ['customParameters', 'a.b']],
  [
    'threeDSecure.schemeData[CB-USECASE]',
    'threeDSecure.schemeData[CB-USECASE]',
    ['threeDSecure', 'schemeData', 'CB-USECASE'],
  ],
  ['overridePaymentType[VISA]', 'overridePaymentType[VISA]', ['overridePaymentType', 'VISA']],
])('%s is a parameter', (sent, name, path) => {
  const parameter = findParameter('payment', sent)
  expect(parameter).toMatchObject({ name, path })
  expect(parameter?.fault).toBeUndefined()
})

test.each([
  'Amount',
  'card',
  'card.',
  'card.numbers',
  'Authorization',
  'cart.items.name',
  'cart.items[0]name',
  'cart.items[0].name[0]',
  'cart.items[n].nothing',
  'customParameters',
  'customParameters[abc].more',
  '__proto__',
  'constructor',
  'toString',
  'threeDSecure.schemeData[CB-OTHER]',
  'applePay.cvv',
  'walletB.cardType',
  'sortOrder',
  '',
])('%s is not a parameter', (sent) => {
  expect(findParameter('payment', sent)).toBeUndefined()
})

test.each([
  ['cart.items[1000].name', 'must have indexes from 0 to 999'],
  ['cart.items[01].name', 'must have indexes from 0 to 999'],
  ['cart.items[].name', 'must have indexes from 0 to 999'],
  ['cart.items[n].name', 'must have indexes from 0 to 999'],
  ['cart.items[1.5].name', 'must have indexes from 0 to 999'],
  ['airline.passengers[0].legs[-1].fareBasis', 'must have indexes from 0 to 999'],
  ['customParameters[ab]', 'must have a key of 3 to 64 letters, digits, dots or underscores'],
  ['customParameters[a-b-c]', 'must have a key of 3 to 64 letters, digits, dots or underscores'],
  [`customParameters[${'a'.repeat(65)}]`, 'must have a key of 3 to 64 letters, digits, dots or underscores'],
  ['risk.parameters[ab]', 'must have a key of 3 to 64 characters without brackets'],
])('%s has an invalid index or key', (sent, fault) => {
  expect(parseName('payment', sent)).toMatchObject({ name: sent, fault })
  expect(findParameter('payment', sent)).toBeUndefined()
})

test('each surface has its own names; all surfaces share entityId', () => {
  expect(findParameter('query', 'date.from')?.row.format.kind).toBe('timestamp')
  expect(findParameter('report', 'date.from')?.row.format.kind).toBe('date')
  expect(findParameter('payment', 'date.from')).toBeUndefined()
  expect(findParameter('query', 'amount')).toBeUndefined()
  for (const surface of ['payment', 'query', 'report'] as const)
    expect(findParameter(surface, 'entityId')).toBeDefined()
})

test('a name that no parameter has does not compile', () => {
  const { values, secrets } = decodeForm(new TextEncoder().encode('numberOfCaptures=2&card.number=4200000000000000'))
  expect(values.get('numberOfCaptures')).toBe('2')
  // @ts-expect-error: the name is numberOfCaptures
  expect(values.get('numberOfCapture')).toBeUndefined()
  // @ts-expect-error: a virtual account has only an accountId
  expect(secrets.get('virtualAccount.number')).toBeUndefined()
  // @ts-expect-error: the recipient of goods has no device
  expect(values.has('shipping.customer.browser.deviceId')).toBe(false)
  // @ts-expect-error: a request header
  expect(values.has('Authorization')).toBe(false)
})

test('a name in a list or map compiles only with an index or key', () => {
  const { values } = decodeForm(new TextEncoder().encode('cart.items[0].name=Pen&customParameters[note]=hello'))
  expect(values.get('cart.items[0].name')).toBe('Pen')
  expect(values.get('customParameters[note]')).toBe('hello')
  // @ts-expect-error: no index
  expect(values.get('cart.items[n].name')).toBeUndefined()
  // @ts-expect-error: an item has no title
  expect(values.get('cart.items[0].title')).toBeUndefined()
  // @ts-expect-error: no key
  expect(values.get('customParameters')).toBeUndefined()
})

test('the rows with a key format are those whose names end in [name], [key] or [brand]', () => {
  const rows = (['payment', 'query', 'report'] as const).flatMap(rowsOf)
  const maps = rows.filter(({ key }) => key !== undefined)
  expect(rows.filter(({ name }) => /\[(name|key|brand)\]$/.test(name))).toEqual(maps)
})
