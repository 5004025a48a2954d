import { customerData } from './customer-data.ts'
import type { Parameters } from './gateway.ts'
import type { Shop } from './context.ts'
import type { Order } from './store/orders.ts'

/** Parameters of every request to pay an order. The amount is the order's, whatever the browser sent. */
export const paymentParameters = (shop: Shop, { id, amount, currency }: Order): Parameters => ({
  paymentType: 'DB',
  amount,
  currency,
  merchantTransactionId: id,
  shopperResultUrl: resultUrlOf(shop),
  ...customerData,
})

/** Where shoppers come back to; the action of the widget's form, too. */
export const resultUrlOf = ({ url }: Shop): string => `${url}/result`
