import type { BankPayment } from './payments.ts'

/** The returnUrl with its query unchanged, and a state that proves nothing: its receiver queries the bank. */
export function returnAddress({ order, state }: BankPayment): string {
  // searchParams would encode the query anew and break a signature in it.
  const address = new URL(order.returnUrl)
  address.search = `${address.search === '' ? '' : `${address.search}&`}state=${state}`
  return address.href
}
