import { seeOther } from '../http/answers.ts'
import { follow } from './follow.ts'
import { orderCart, paymentOf } from './payment-of.ts'
import type { Action } from './visit.ts'

/** Methods for which the shopper goes to a page of the bank or wallet. */
export const redirectBrands = [
  { code: 'IDEAL', name: 'iDEAL' },
  { code: 'PAYPAL', name: 'PayPal' },
  { code: 'EPS', name: 'eps' },
  { code: 'TRUSTLY', name: 'Trustly' },
  { code: 'KLARNA_PAYMENTS_PAYLATER', name: 'Klarna' },
  { code: 'OXXO', name: 'OXXO' },
] as const

/** From server to server: the answer is pending, and says where the shopper goes. */
export const payByRedirect: Action = async (shop, visit) => {
  const wanted = new URLSearchParams(visit.call.body).get('brand')
  const brand = redirectBrands.find(({ code }) => code === wanted)
  const order = brand && orderCart(shop, visit.visitor)
  if (!order) return seeOther('/cart')
  const parameters = { ...paymentOf(shop, order), paymentBrand: brand.code }
  return follow(shop, visit, order, await shop.gateway.post('/v1/payments', parameters, order.id))
}
