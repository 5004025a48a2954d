import { isKeyOf } from './is-key-of.ts'

/**
 * The payment methods by which queries select transactions (contract: `paymentMethods` of the query parameters), in
 * the order of the contract. `finds` describes the transactions of a method for the reference documents;
 * `paymentMethodOf` determines the method of a transaction. The meaning of ET and NT is not published.
 */
const table = {
  DD: { name: 'Direct debit', finds: 'brands of direct debits, except for payouts' },
  CT: { name: 'Credit transfer', finds: 'payouts (CD) to bank accounts, and transactions that refer to them' },
  CC: { name: 'Credit card', finds: 'brands of cards, except for debit cards; payments without a known brand' },
  WA: { name: 'Wallet account', finds: 'brands of wallets' },
  VA: { name: 'Virtual account', finds: 'brands of virtual accounts, gift cards and accounts without another method' },
  UA: { name: 'User account', finds: 'no transactions, because no brand uses it' },
  OT: { name: 'Online transfer', finds: 'brands of online transfers' },
  DC: { name: 'Debit card', finds: 'brands of debit cards' },
  ET: { name: 'Filter only', finds: 'no transactions, because no brand uses it' },
  NT: { name: 'Filter only', finds: 'no transactions, because no brand uses it' },
  IV: { name: 'Invoice', finds: 'brands of invoices and instalments' },
  PP: { name: 'Prepayment', finds: 'brands of prepayments and vouchers' },
  OD: { name: 'Cash on delivery', finds: 'no transactions, because no brand uses it' },
  RM: { name: 'Risk management', finds: 'standalone risk checks (RI)' },
} as const satisfies Readonly<Record<string, PaymentMethodRow>>

interface PaymentMethodRow {
  readonly name: string
  readonly finds: string
}

/** Code of a payment method, such as `CC`. */
export type PaymentMethod = keyof typeof table

export const paymentMethods: Readonly<Record<PaymentMethod, PaymentMethodRow>> = table

/** Whether `code` is a payment method of the contract's list. */
export const isPaymentMethod = isKeyOf(paymentMethods)
