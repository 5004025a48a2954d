import { describe, expect, test } from 'vitest'
import { type BrandKind, brands, isBrand, isCardBrand, paymentMethodOf } from './brands.ts'
import { cardBrands } from './card-brands.ts'
import { isPaymentMethod, type PaymentMethod, paymentMethods } from './payment-methods.ts'

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

/** The brands of a payment method, by what kind of payment it is. */
const found = (method: PaymentMethod, type: string) =>
  codes.filter(isBrand).filter((brand) => paymentMethodOf(brand, type) === method)

test('the methods are those of the contract', () => {
  expect(Object.keys(paymentMethods).join(', ')).toBe('DD, CT, CC, WA, VA, UA, OT, DC, ET, NT, IV, PP, OD, RM')
})

const debitCards =
  'ALIADEBIT BCMC CABALDEBIT CARTEBLEUE DANKORT MADA MAESTRO MASTERDEBIT OMANNET TCARDDEBIT UNIONPAY_SMS VISADEBIT ' +
  'VISAELECTRON VPAY'

describe('each method has its own parameters', () => {
  test.each<[PaymentMethod, string]>([
    ['DD', 'DIRECTDEBIT_SEPA SEPA'],
    ['CT', ''],
    ['DC', debitCards],
    ['UA', ''],
    ['ET', ''],
    ['NT', ''],
    ['OD', ''],
    ['RM', ''],
  ])('%s, debits: %s', (method, expected) => expect(found(method, 'DB').join(' ')).toBe(expected))

  test.each<[PaymentMethod, BrandKind[]]>([
    ['CC', ['card']],
    ['DC', ['card']],
    ['WA', ['wallet']],
    ['VA', ['virtualAccount', 'giftCard', 'other']],
    ['OT', ['onlineTransfer']],
    ['IV', ['invoice']],
    ['PP', ['prepayment', 'voucher']],
  ])('%s: %j', (method, kinds) => {
    expect(new Set(found(method, 'DB').map((brand) => brands[brand].kind))).toEqual(new Set(kinds))
  })

  test('CT, payouts: those to bank accounts', () => {
    expect(found('CT', 'CD')).toEqual(['DIRECTDEBIT_SEPA', 'SEPA'])
    expect(found('DD', 'CD')).toEqual([])
    expect(found('DC', 'CD').join(' ')).toBe(debitCards)
  })

  test.each(['DB', 'PA', 'CD', undefined])('%s: every brand has a method of the list', (type) => {
    for (const brand of codes.filter(isBrand)) expect(isPaymentMethod(paymentMethodOf(brand, type))).toBe(true)
  })
})
