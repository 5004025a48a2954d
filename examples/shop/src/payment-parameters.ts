import { customerData } from './customer-data.ts'
import type { Parameters } from './gateway.ts'
import type { Shop } from './context.ts'
import type { Order } from './store/orders.ts'

/** Parameters of every request to pay an order. The amount comes from the order, not from the browser. */
export const paymentParameters = (shop: Shop, { id, amount, currency }: Order): Parameters => ({
  paymentType: 'DB',
  amount,
  currency,
  merchantTransactionId: id,
  shopperResultUrl: resultUrlOf(shop),
  ...customerData,
})

/** The address to which shoppers return; also the action of the widget's form. */
export const resultUrlOf = ({ url }: Shop): string => `${url}/result`
