import type { IncomingMessage } from 'node:http'
import { type BlockList, isIP } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Config } from '../config.ts'

/** Where a request comes from. */
export interface Origin {
  /** The client's address; undefined once its connection is gone. */
  addressOf(request: IncomingMessage): string | undefined
  /** Whether it came over a network without TLS, on any part of the known path. */
  isPlain(request: IncomingMessage): boolean
}

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/

/**
 * The address of the client: the other end of the connection, or, if that is a proxy that the operator named, the last
 * address in `X-Forwarded-For` that is no such proxy. Each proxy appends the address of its own client.
 */
export function originOf({ trustedProxies: trusted }: Pick<Config, 'trustedProxies'>): Origin {
  return {
    addressOf({ socket: { remoteAddress }, headers }) {
      if (!trusted || !isIn(trusted, remoteAddress)) return remoteAddress
      let address = remoteAddress
      for (const said of String(headers['x-forwarded-for'] ?? '')
        .split(',')
        .toReversed()) {
        const next = addressIn(said)
        // Not an address: clients with such an entry are indistinguishable.
        if (next === undefined) return address
        address = next
        if (!isIn(trusted, address)) return address
      }
      return address
    },
    isPlain({ socket, headers }) {
      if (socket instanceof TLSSocket) return false
      const { remoteAddress = '' } = socket
      const forwarded = trusted && isIn(trusted, remoteAddress) ? headers['x-forwarded-proto'] : undefined
      // A proxy that does not state the protocol may forward plain HTTP.
      if (forwarded === undefined) return !LOOPBACK.test(remoteAddress)
      // The last one is the word of the proxy itself.
      return String(forwarded).split(',').at(-1)?.trim().toLowerCase() !== 'https'
    },
  }
}

function isIn(list: BlockList, address: string | undefined): boolean {
  const family = isIP(address ?? '')
  return family !== 0 && list.check(address ?? '', family === 4 ? 'ipv4' : 'ipv6')
}

/** Some proxies add the port, and brackets around an address of IPv6. */
function addressIn(text: string): string | undefined {
  const [, bracketed, v4] = /^\s*(?:\[([^\]]+)\](?::\d+)?|([\d.]+)(?::\d+)?)\s*$/.exec(text) ?? []
  const address = bracketed ?? v4 ?? text.trim()
  return isIP(address) === 0 ? undefined : address
}
