import { amountOf, linesOf, totalMinor } from './cart.ts'
import { CURRENCY } from './catalogue.ts'
import { customer } from './customer.ts'
import type { Parameters } from './gateway.ts'
import type { Order } from './orders.ts'
import type { Shop } from './visit.ts'
import type { Visitor } from './visitors.ts'

/** An order of all that is in the cart; undefined: nothing is. */
export function orderCart({ orders }: Shop, visitor: Visitor): Order | undefined {
  const lines = linesOf(visitor.cart)
  if (lines.length === 0) return undefined
  const amount = amountOf(totalMinor(lines))
  return orders.create({ visitorId: visitor.id, purpose: 'cart', lines, amount, currency: CURRENCY })
}

/** What every request to pay an order has. The amount is the order's, whatever the browser sent. */
export const paymentOf = (shop: Shop, { id, amount, currency }: Order): Parameters => ({
  paymentType: 'DB',
  amount,
  currency,
  merchantTransactionId: id,
  shopperResultUrl: resultUrlOf(shop),
  ...customer,
})

/** Where shoppers come back to; the widget has it as the action of its form, too. */
export const resultUrlOf = ({ url }: Shop): string => `${url}/result`
