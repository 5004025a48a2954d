import type { BankPayment } from './payments.ts'

/** The returnUrl with its query unchanged, and `state`. The state proves nothing, so the receiver queries the bank. */
export function returnAddress({ order, state }: BankPayment): string {
  // searchParams would encode the query again and invalidate a signature in it.
  const address = new URL(order.returnUrl)
  address.search = `${address.search === '' ? '' : `${address.search}&`}state=${state}`
  return address.href
}
