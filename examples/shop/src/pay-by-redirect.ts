import type { FastifyInstance } from 'fastify'
import type { FormRequest } from './pages/page-request.ts'
import { paymentParameters } from './payment-parameters.ts'
import { redirectShopper } from './redirect-shopper.ts'
import type { Shop } from './context.ts'
import { orderCart } from './store/orders.ts'

/** The brands whose bank or wallet has a page to which the shopper is redirected. */
export const redirectBrands = [
  { code: 'IDEAL', name: 'iDEAL' },
  { code: 'PAYPAL', name: 'PayPal' },
  { code: 'EPS', name: 'eps' },
  { code: 'TRUSTLY', name: 'Trustly' },
  { code: 'KLARNA_PAYMENTS_PAYLATER', name: 'Klarna' },
  { code: 'OXXO', name: 'OXXO' },
] as const

/** Adds the payment by redirect: the gateway's answer is pending, and contains the address of the bank or wallet. */
export function addRedirectPayments(pages: FastifyInstance, shop: Shop): void {
  pages.post<FormRequest>('/redirect', async (request, reply) => {
    const brand = redirectBrands.find(({ code }) => code === request.body.get('brand'))
    const order = brand && orderCart(shop.orders, request.customer)
    if (!order) return reply.redirect('/cart', 303)
    const parameters = { ...paymentParameters(shop, order), paymentBrand: brand.code }
    const answer = await shop.gateway.post('/v1/payments', parameters, order.id)
    return redirectShopper(shop, request, reply, order, answer)
  })
}
