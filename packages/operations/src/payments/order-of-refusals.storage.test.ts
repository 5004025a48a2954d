import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Parameters, testGateway } from '@tollgate/gateway/testing'
import { amount, codeOf, PASSED, riskShop, type RiskShop } from '../testing/risk-shop.ts'

// The directory server gives no answer, so no payment waits for an issuer: each request is answered with its final
// result.
const tollgate = await testGateway({ directoryServer: { send: async () => undefined } })
afterAll(() => tollgate.close())

let shop: RiskShop
beforeAll(async () => {
  shop = await riskShop(tollgate, { rejectFrom: 100, rules: [{ name: 'over 1', when: amount('1.00'), score: 1 }] })
  const settings = { currencies: ['JPY'], threeDSecure: 'always' }
  const { status } = await tollgate.manage('PATCH', `/entities/${shop.merchant.channel}`, { settings })
  expect(status).toBe(200)
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

const invalidNumber: Fault = ['100.100.101', { 'card.number': '5454545454545454' }]
const unacceptedCurrency: Fault = ['600.200.500', { currency: 'JPY' }]
const invalidDevice: Fault = ['200.300.404', { 'threeDSecure.deviceInfo': undefined }]
const invalidAmount: Fault = ['100.550.303', { amount: '92.00' }]
const invalidPurchase: Fault = ['100.550.303', { 'threeDSecure.amount': '93.00' }]
const smallRiskAmount: Fault = ['100.550.605', { 'risk.amount': undefined }]

const faultyPayment: Parameters = { ...card, ...customer, amount: '92.50', currency: 'KRW' }
const device = { 'threeDSecure.deviceInfo': 'x' }
const purchase = { 'threeDSecure.amount': '93.50', 'customParameters[3DS2_enrolled]': 'true' }
const instruction = {
  'standingInstruction.type': 'RECURRING',
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.source': 'CIT',
}

describe('a request with many faults is refused for the first fault in the order of the guards', () => {
  test.each<[path: string, sent: Parameters, faults: readonly Fault[], finalCode: string]>([
    [
      '/v1/payments',
      { ...faultyPayment, ...device, ...purchase, ...instruction, paymentType: 'DB', 'risk.amount': '1.00' },
      [
        invalidNumber,
        unacceptedCurrency,
        invalidDevice,
        invalidAmount,
        ['600.200.501', { 'standingInstruction.recurringType': 'SUBSCRIPTION' }],
        smallRiskAmount,
        invalidPurchase,
      ],
      '000.100.110',
    ],
    [
      '/v1/threeDSecure',
      { ...faultyPayment, ...device, ...purchase },
      [invalidNumber, invalidAmount, invalidPurchase, unacceptedCurrency, invalidDevice],
      '000.400.101',
    ],
    ['/v1/risk', { ...faultyPayment, 'risk.amount': '1.00' }, [invalidAmount, smallRiskAmount], PASSED],
  ])('POST %s', async (path, sent, faults, finalCode) => {
    const form = { ...sent }
    for (const [code, correction] of faults) {
      expect([correction, codeOf(await shop.post(path, form))]).toEqual([correction, code])
      Object.assign(form, correction)
    }
    expect(codeOf(await shop.post(path, form))).toBe(finalCode)
  })
})
