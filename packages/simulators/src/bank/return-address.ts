import type { BankPayment } from './payments.ts'

/** The returnUrl, its own query as it is, with a state that proves nothing: whoever gets it asks the bank. */
export function returnAddress({ order, state }: BankPayment): string {
  // Not by searchParams, which would spell the query anew, and break a signature in it.
  const address = new URL(order.returnUrl)
  address.search = `${address.search === '' ? '' : `${address.search}&`}state=${state}`
  return address.href
}
