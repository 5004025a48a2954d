import type { Gateway } from './gateway.ts'
import type { ShopCustomers } from './store/customers.ts'
import type { Orders } from './store/orders.ts'

/** Context of all routes. */
export interface Shop {
  /** Where shoppers reach it, without a slash at its end; known once it listens. */
  url: string
  /** Where shoppers' browsers reach the gateway, for its widget. */
  readonly gatewayUrl: string
  readonly gateway: Gateway
  /** The key of the shop's webhook, 64 hexadecimal digits; undefined: notifications are refused. */
  readonly webhookKey: string | undefined
  readonly orders: Orders
  readonly customers: ShopCustomers
  /** Epoch milliseconds. */
  readonly now: () => number
}
