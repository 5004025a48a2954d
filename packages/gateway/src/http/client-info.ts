import type { IncomingMessage } from 'node:http'
import { type BlockList, isIP } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Config } from '../config.ts'

/** The client address and the transport of a request. */
export interface ClientInfo {
  /** The client's address; undefined once the connection is closed. */
  addressOf(request: IncomingMessage): string | undefined
  /** Whether the request crossed a network without TLS, as far as the connection and the trusted proxy show. */
  isPlain(request: IncomingMessage): boolean
}

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/

/**
 * Derives addresses and transports from connections and, behind a trusted proxy, from forwarding headers. The client's
 * address is the remote address of the connection. If a trusted proxy has this address, the client's address is the
 * last one in `X-Forwarded-For` that no trusted proxy has, because each proxy appends the address of its client. If all
 * entries are addresses of trusted proxies, the client's address is the first one.
 */
export function clientInfoOf({ trustedProxies: trusted }: Pick<Config, 'trustedProxies'>): ClientInfo {
  return {
    addressOf({ socket: { remoteAddress }, headers }) {
      if (!trusted || !isIn(trusted, remoteAddress)) return remoteAddress
      let address = remoteAddress
      for (const entry of String(headers['x-forwarded-for'] ?? '')
        .split(',')
        .toReversed()) {
        const next = parseAddress(entry)
        // Clients behind an entry that is no address cannot be distinguished, so all have the address of their proxy.
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
      // Without the protocol from a trusted proxy, only a loopback connection counts as not crossing a network.
      if (forwarded === undefined) return !LOOPBACK.test(remoteAddress)
      // The trusted proxy itself has appended the last value.
      return String(forwarded).split(',').at(-1)?.trim().toLowerCase() !== 'https'
    },
  }
}

function isIn(list: BlockList, address: string | undefined): boolean {
  const family = isIP(address ?? '')
  return family !== 0 && list.check(address ?? '', family === 4 ? 'ipv4' : 'ipv6')
}

/** Parses an entry of `X-Forwarded-For`: some proxies add a port, and brackets around an IPv6 address. */
function parseAddress(text: string): string | undefined {
  const [, bracketed, v4] = /^\s*(?:\[([^\]]+)\](?::\d+)?|([\d.]+)(?::\d+)?)\s*$/.exec(text) ?? []
  const address = bracketed ?? v4 ?? text.trim()
  return isIP(address) === 0 ? undefined : address
}
