import type { Gateway } from './gateway.ts'
import type { ShopCustomers } from './store/customers.ts'
import type { Orders } from './store/orders.ts'

/** Context of all routes. */
export interface Shop {
  /** Address for shoppers, without a slash at its end; set once the shop listens. */
  url: string
  /** Address of the gateway for shoppers' browsers, which load its widget. */
  readonly gatewayUrl: string
  readonly gateway: Gateway
  /** The key of the shop's webhook, 64 hexadecimal digits; undefined: notifications are refused. */
  readonly webhookKey: string | undefined
  readonly orders: Orders
  readonly customers: ShopCustomers
  /** Epoch milliseconds. */
  readonly now: () => number
}
