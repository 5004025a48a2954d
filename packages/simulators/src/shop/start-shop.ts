import { randomBytes } from 'node:crypto'
import type { Clock } from '../http/exchange.ts'
import { type Address, type Host, startHost } from '../http/host.ts'
import { createGateway } from './gateway.ts'
import { createShop } from './shop.ts'

export interface ShopOptions extends Address {
  /** Where the gateway is for our server, without a slash at its end. */
  readonly gatewayUrl: string
  /** Where it is for browsers, if elsewhere. */
  readonly gatewayPublicUrl?: string
  /** The channel that pays: 32 hexadecimal digits. */
  readonly entityId: string
  /** The access token of the merchant. */
  readonly token: string
  /** Whose time says when a status may be read again; the machine's otherwise. */
  readonly clock?: Clock
}

const machine: Clock = { now: () => Date.now() }

/**
 * Starts the sample shop on an address of its own, as a merchant's site has one.
 *
 * @returns once it listens
 * @throws what `listen` reports, such as EADDRINUSE
 */
export function startShop(options: ShopOptions): Promise<Host> {
  const { gatewayUrl, gatewayPublicUrl = gatewayUrl, entityId, token, clock = machine } = options
  const gateway = createGateway({ url: gatewayUrl, entityId, token })
  return startHost(options, (url) =>
    createShop({ url, gatewayUrl: gatewayPublicUrl, gateway, clock, random: randomBytes }),
  )
}
