import type { Gateway } from './gateway.ts'
import type { ShopCustomers } from './store/customers.ts'
import type { Orders } from './store/orders.ts'

/** The state and the services that all routes share. */
export interface Shop {
  /** The shop's URL for shoppers, without a trailing slash. It is set when the shop listens. */
  url: string
  /** The gateway's URL for the browsers of shoppers, which load its widget. */
  readonly gatewayUrl: string
  readonly gateway: Gateway
  /** The key of the shop's webhook, 64 hexadecimal digits. If it is undefined, notifications are refused. */
  readonly webhookKey: string | undefined
  readonly orders: Orders
  readonly customers: ShopCustomers
  /** Epoch milliseconds. */
  readonly now: () => number
}
