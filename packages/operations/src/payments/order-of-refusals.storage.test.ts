import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Parameters, testGateway } from '@tollgate/gateway/testing'
import { amount, codeOf, PASSED, riskShop, type RiskShop } from '../testing/risk-shop.ts'

// A directory server without answers.
const tollgate = await testGateway({ directoryServer: { send: async () => undefined } })
afterAll(() => tollgate.close())

let shop: RiskShop
beforeAll(async () => {
  shop = await riskShop(tollgate, { rejectFrom: 100, rules: [{ name: 'over 1', when: amount('1.00'), score: 1 }] })
  const settings = { currencies: ['JPY'], threeDSecure: 'always' }
  const changed = await tollgate.manage('PATCH', `/entities/${shop.merchant.channel}`, { settings })
  expect(changed.status).toBe(200)
})

const card = {
  paymentBrand: 'MASTER',
  'card.number': '5454545454545455',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
}
const customer = {
  'customer.givenName': 'Jane',
  'customer.surname': 'Jones',
  'customer.browser.acceptHeader': '*/*',
  'customer.browser.language': 'de',
  'customer.browser.screenHeight': '1200',
  'customer.browser.screenWidth': '1600',
  'customer.browser.timezone': '60',
  'customer.browser.userAgent': 'Mozilla/5.0',
  'customer.browser.javaEnabled': 'false',
  'billing.street1': 'High Street',
  'billing.city': 'Bath',
  'billing.postcode': 'BA1',
  'billing.country': 'GB',
  shopperResultUrl: 'https://shop.example/done',
}

/** A fault of a request: its result code, and the parameters that correct it. */
type Fault = readonly [code: string, correction: Parameters]

const badNumber: Fault = ['100.100.101', { 'card.number': '5454545454545454' }]
const otherCurrency: Fault = ['600.200.500', { currency: 'JPY' }]
const badDevice: Fault = ['200.300.404', { 'threeDSecure.deviceInfo': undefined }]
const badAmount: Fault = ['100.550.303', { amount: '92.00' }]
const badPurchase: Fault = ['100.550.303', { 'threeDSecure.amount': '93.00' }]
const smallRiskAmount: Fault = ['100.550.605', { 'risk.amount': undefined }]

const faulty: Parameters = { ...card, ...customer, amount: '92.50', currency: 'KRW' }
const device = { 'threeDSecure.deviceInfo': 'x' }
const purchase = { 'threeDSecure.amount': '93.50', 'customParameters[3DS2_enrolled]': 'true' }
const instruction = {
  'standingInstruction.type': 'RECURRING',
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.source': 'CIT',
}

describe('a request with many faults is refused for the first one in the order of the guards', () => {
  test.each<[path: string, sent: Parameters, faults: readonly Fault[], end: string]>([
    [
      '/v1/payments',
      { ...faulty, ...device, ...purchase, ...instruction, paymentType: 'DB', 'risk.amount': '1.00' },
      [
        badNumber,
        otherCurrency,
        badDevice,
        badAmount,
        ['600.200.501', { 'standingInstruction.recurringType': 'SUBSCRIPTION' }],
        smallRiskAmount,
        badPurchase,
      ],
      '000.100.110',
    ],
    [
      '/v1/threeDSecure',
      { ...faulty, ...device, ...purchase },
      [badNumber, badAmount, badPurchase, otherCurrency, badDevice],
      '000.400.101',
    ],
    ['/v1/risk', { ...faulty, 'risk.amount': '1.00' }, [badAmount, smallRiskAmount], PASSED],
  ])('POST %s', async (path, sent, faults, end) => {
    const form = { ...sent }
    for (const [code, correction] of faults) {
      expect([correction, codeOf(await shop.post(path, form))]).toEqual([correction, code])
      Object.assign(form, correction)
    }
    expect(codeOf(await shop.post(path, form))).toBe(end)
  })
})
