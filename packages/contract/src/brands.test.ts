import { expect, test } from 'vitest'
import { brandKindMethods, brands, isBrand, isCardBrand } from './brands.ts'
import { cardBrands } from './card-brands.ts'
import { isPaymentMethod, paymentMethods } from './payment-methods.ts'

const codes = Object.keys(brands)

test('161 brands, sorted, in the form of paymentBrand', () => {
  expect(codes).toHaveLength(161)
  expect(codes).toEqual(codes.toSorted())
  for (const code of codes) expect(code).toMatch(/^[A-Z0-9_]{1,32}$/)
})

test('cards and direct debits answer at once; methods with a shopper elsewhere redirect', () => {
  const atOnce = Object.values(brands).filter(({ kind }) => kind === 'card' || kind === 'directDebit')
  expect(atOnce.filter(({ flow }) => flow !== 'sync')).toEqual([])
  const redirecting = ['IDEAL', 'GIROPAY', 'SOFORTUEBERWEISUNG', 'TRUSTLY', 'PAYPAL', 'ALIPAY'] as const
  expect(redirecting.filter((code) => brands[code].flow !== 'async')).toEqual([])
})

test('card brands are exactly those with number rules', () => {
  expect(codes.filter(isCardBrand)).toEqual(Object.keys(cardBrands))
})

test.each([
  ['VISA', true],
  ['visa', false],
  ['NOPE', false],
  ['constructor', false],
  ['', false],
])('isBrand(%j) is %s', (code, expected) => expect(isBrand(code)).toBe(expected))

test('every kind of brand is found by a payment method', () => {
  for (const method of Object.values(brandKindMethods)) expect(isPaymentMethod(method)).toBe(true)
  expect(Object.keys(paymentMethods).join(', ')).toBe('DD, CT, CC, WA, VA, UA, OT, DC, ET, NT, IV, PP, OD, RM')
})
