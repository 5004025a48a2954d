import type { OperationName } from '../operations.ts'

export type Parameters = Readonly<Record<string, string>>

export const entity = { entityId: '70119a7e5eed00000000000000000c00' }
export const cardData = { 'card.number': '4200000000000000', 'card.expiryMonth': '05', 'card.expiryYear': '2034' }
export const debit = { ...entity, amount: '92.00', currency: 'EUR', paymentType: 'DB' }
export const card = { ...debit, ...cardData }
export const rebill = { ...debit, paymentType: 'RB' }
export const bank = { ...debit, paymentBrand: 'DIRECTDEBIT_SEPA', 'bankAccount.holder': 'Jane Jones' }
export const proof = { 'threeDSecure.eci': '05', 'threeDSecure.verificationId': 'A'.repeat(28) }
export const browser = {
  'customer.givenName': 'Jane',
  'customer.surname': 'Jones',
  'customer.browser.acceptHeader': '*/*',
  'customer.browser.language': 'de',
  'customer.browser.screenHeight': '1000',
  'customer.browser.screenWidth': '1000',
  'customer.browser.timezone': '-60',
  'customer.browser.userAgent': 'Browser',
  'customer.browser.javaEnabled': 'false',
}
export const billing = {
  'billing.street1': 'Main Street',
  'billing.city': 'Berlin',
  'billing.postcode': '10115',
  'billing.country': 'DE',
}
export const instruction = (type: string, mode: string, source: string): Parameters => ({
  'standingInstruction.type': type,
  'standingInstruction.mode': mode,
  'standingInstruction.source': source,
})
export const omit = (parameters: Parameters, ...names: string[]): Parameters =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !names.includes(name)))

/** The cases of each rule: requests, and the parameters that the rule reports. */
export type RuleCases = Readonly<
  Record<string, readonly (readonly [OperationName, Parameters, wrong: readonly string[]])[]>
>
