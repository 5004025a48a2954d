/**
 * The payment methods that queries select by (contract: `paymentMethods` of the query parameters), in its order. What
 * ET and NT stand for is not published; they are valid filters that no transaction of ours matches.
 */
const table = {
  DD: { name: 'Direct debit' },
  CT: { name: 'Credit transfer' },
  CC: { name: 'Credit card' },
  WA: { name: 'Wallet account' },
  VA: { name: 'Virtual account' },
  UA: { name: 'User account' },
  OT: { name: 'Online transfer' },
  DC: { name: 'Debit card' },
  ET: { name: 'Filter only' },
  NT: { name: 'Filter only' },
  IV: { name: 'Invoice' },
  PP: { name: 'Prepayment' },
  OD: { name: 'Cash on delivery' },
  RM: { name: 'Risk management' },
} as const satisfies Readonly<Record<string, { name: string }>>

/** Code of a payment method, such as `CC`. */
export type PaymentMethod = keyof typeof table

export const paymentMethods: Readonly<Record<PaymentMethod, { readonly name: string }>> = table

/** Whether `code` is a payment method of the contract's list. */
export const isPaymentMethod = (code: string): code is PaymentMethod => Object.hasOwn(paymentMethods, code)
