import type { FastifyServerOptions } from 'fastify'
import { createGateway } from './gateway.ts'
import type { Shop } from './context.ts'
import { createShop } from './shop.ts'
import { createShopCustomers } from './store/customers.ts'
import { createOrders } from './store/orders.ts'

export interface ShopOptions {
  readonly host: string
  /** The port; 0 for any free port. */
  readonly port: number
  /** The host name for browsers, if `host` is the address of all interfaces. */
  readonly publicHost?: string | undefined
  /** The gateway's URL, without a trailing slash. */
  readonly gatewayUrl: string
  /** The channel of the payments: 32 hexadecimal digits. */
  readonly entityId: string
  /** The access token of the merchant. */
  readonly token: string
  /** The key that `tollgate webhook create` printed. */
  readonly webhookKey?: string | undefined
  /** Epoch milliseconds; the machine's clock by default. */
  readonly now?: () => number
  /** Further options of the server, such as bounds on connections. */
  readonly server?: FastifyServerOptions
}

/**
 * Starts the shop on an address of its own, like a merchant's site.
 *
 * @returns the URL of the shop and a function that closes it, once the shop listens
 * @throws the error of `listen`, such as EADDRINUSE
 */
export async function startShop(options: ShopOptions): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { host, port, publicHost = host, gatewayUrl, entityId, token, webhookKey, now = Date.now } = options
  const shop: Shop = {
    url: '',
    gatewayUrl,
    gateway: createGateway({ url: gatewayUrl, entityId, token }),
    webhookKey,
    orders: createOrders(),
    customers: createShopCustomers(),
    now,
  }
  const server = createShop(shop, options.server)
  const { port: actualPort } = new URL(await server.listen({ host, port }))
  shop.url = `http://${publicHost.includes(':') ? `[${publicHost}]` : publicHost}:${actualPort}`
  return { url: shop.url, close: async () => server.close() }
}
