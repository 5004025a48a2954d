import { seeOther } from '../http/answers.ts'
import { amountOf, linesOf, totalMinor } from './cart.ts'
import { CURRENCY } from './catalogue.ts'
import { follow } from './follow.ts'
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
  const lines = linesOf(visit.visitor.cart)
  const wanted = new URLSearchParams(visit.call.body).get('brand')
  const brand = redirectBrands.find(({ code }) => code === wanted)
  if (lines.length === 0 || !brand) return seeOther('/cart')
  const amount = amountOf(totalMinor(lines))
  const order = shop.orders.create({
    visitorId: visit.visitor.id,
    purpose: 'cart',
    lines,
    amount,
    currency: CURRENCY,
    registrationId: undefined,
  })
  const parameters = {
    paymentBrand: brand.code,
    paymentType: 'DB',
    amount,
    currency: CURRENCY,
    merchantTransactionId: order.id,
    shopperResultUrl: `${shop.url}/result`,
  }
  return follow(shop, visit, order, await shop.gateway.post('/v1/payments', parameters, order.id))
}
