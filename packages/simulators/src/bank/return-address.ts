import type { BankPayment } from './payments.ts'

/**
 * The returnUrl, with the parameter `state` after its unchanged query. A shopper can change the state, so the gateway
 * queries the bank for it.
 */
export function returnAddress({ order, state }: BankPayment): string {
  // searchParams would encode the query again and invalidate a signature in it.
  const address = new URL(order.returnUrl)
  address.search = `${address.search === '' ? '' : `${address.search}&`}state=${state}`
  return address.href
}
