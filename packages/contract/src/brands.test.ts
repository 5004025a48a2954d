import { describe, expect, test } from 'vitest'
import { type BrandKind, brands, isBrand, isCardBrand, paymentMethodOf } from './brands.ts'
import { cardBrands } from './card-brands.ts'
import { isPaymentMethod, type PaymentMethod, paymentMethods } from './payment-methods.ts'

const codes = Object.keys(brands)

test('the table has 161 brands, sorted, in the format of paymentBrand', () => {
  expect(codes).toHaveLength(161)
  expect(codes).toEqual(codes.toSorted())
  for (const code of codes) expect(code).toMatch(/^[A-Z0-9_]{1,32}$/)
})

test('cards and direct debits are synchronous; brands with a page, such as iDEAL and PayPal, are asynchronous', () => {
  const synchronous = Object.values(brands).filter(({ kind }) => kind === 'card' || kind === 'directDebit')
  expect(synchronous.filter(({ flow }) => flow !== 'sync')).toEqual([])
  const redirecting = ['IDEAL', 'GIROPAY', 'SOFORTUEBERWEISUNG', 'TRUSTLY', 'PAYPAL', 'ALIPAY'] as const
  expect(redirecting.filter((code) => brands[code].flow !== 'async')).toEqual([])
})

test('the card brands are the brands with a row in cardBrands', () => {
  expect(codes.filter(isCardBrand)).toEqual(Object.keys(cardBrands))
})

test.each([
  ['VISA', true],
  ['visa', false],
  ['NOPE', false],
  ['constructor', false],
  ['', false],
])('isBrand(%j) is %s', (code, expected) => expect(isBrand(code)).toBe(expected))

/** The brands whose transactions of a payment type have the payment method. */
const brandsOf = (method: PaymentMethod, type: string) =>
  codes.filter(isBrand).filter((brand) => paymentMethodOf(brand, type) === method)

test('the payment methods are those of the contract', () => {
  expect(Object.keys(paymentMethods).join(', ')).toBe('DD, CT, CC, WA, VA, UA, OT, DC, ET, NT, IV, PP, OD, RM')
})

const debitCards =
  'ALIADEBIT BCMC CABALDEBIT CARTEBLEUE DANKORT MADA MAESTRO MASTERDEBIT OMANNET TCARDDEBIT UNIONPAY_SMS VISADEBIT ' +
  'VISAELECTRON VPAY'

describe('a payment method', () => {
  test.each<[PaymentMethod, string]>([
    ['DD', 'DIRECTDEBIT_SEPA SEPA'],
    ['CT', ''],
    ['DC', debitCards],
    ['UA', ''],
    ['ET', ''],
    ['NT', ''],
    ['OD', ''],
    ['RM', ''],
  ])('%s has the debits of the brands: %s', (method, expected) =>
    expect(brandsOf(method, 'DB').join(' ')).toBe(expected),
  )

  test.each<[PaymentMethod, BrandKind[]]>([
    ['CC', ['card']],
    ['DC', ['card']],
    ['WA', ['wallet']],
    ['VA', ['virtualAccount', 'giftCard', 'other']],
    ['OT', ['onlineTransfer']],
    ['IV', ['invoice']],
    ['PP', ['prepayment', 'voucher']],
  ])('%s has debits of the kinds %j', (method, kinds) => {
    expect(new Set(brandsOf(method, 'DB').map((brand) => brands[brand].kind))).toEqual(new Set(kinds))
  })

  test('CT has the payouts to bank accounts', () => {
    expect(brandsOf('CT', 'CD')).toEqual(['DIRECTDEBIT_SEPA', 'SEPA'])
    expect(brandsOf('DD', 'CD')).toEqual([])
    expect(brandsOf('DC', 'CD').join(' ')).toBe(debitCards)
  })

  test.each(['DB', 'PA', 'CD', undefined])('exists for every brand and the payment type %s', (type) => {
    for (const brand of codes.filter(isBrand)) expect(isPaymentMethod(paymentMethodOf(brand, type))).toBe(true)
  })
})
