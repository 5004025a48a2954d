import type { UpstreamExchange } from '@tollgate/connectors'
import { limits } from '../limits.ts'
import type { Bounds } from './bounds.ts'
import { createOutgoingClient, type OutgoingOptions } from './create-outgoing-client.ts'
import type { Rules } from './target.ts'

/** The address of an upstream gateway, which an operator has configured. */
export interface UpstreamTarget
  extends Pick<OutgoingOptions, 'environment' | 'networks' | 'authorities' | 'pinnedKey'> {
  /** Without a slash at its end. In live, the scheme is https. */
  readonly baseUrl: string
  /** Smaller bounds, for tests. */
  readonly bounds?: Partial<Bounds>
}

/**
 * The transport to an upstream gateway, with connections of its own, which are kept open between requests. Addresses
 * are checked like those of merchants, except that the port is free.
 */
export function createUpstreamExchange({ baseUrl, bounds, ...options }: UpstreamTarget): UpstreamExchange {
  const client = createOutgoingClient({
    ...options,
    ports: portsOf(baseUrl),
    bounds: { ...limits.upstream, ...bounds },
  })
  /** Each ends within the bounds of the client. */
  const inFlight = new Set<Promise<unknown>>()
  let isClosed = false
  return {
    async send(request) {
      if (isClosed) return { status: 0, body: '', sent: false, reason: CLOSED }
      const sent = client.send(request)
      inFlight.add(sent)
      const reply = await sent
      inFlight.delete(sent)
      if (reply.kind === 'answered') return { status: reply.status, body: reply.body, sent: true }
      return { status: 0, body: '', sent: reply.kind === 'failed' && reply.sent, reason: reply.reason }
    },
    async close() {
      isClosed = true
      await Promise.all(inFlight)
      await client.close()
    },
  }
}

const CLOSED = 'the connector was replaced, or the gateway is stopping'

/** The port of a base URL, by its scheme: the only one that is permitted. */
export function portsOf(baseUrl: string): Rules['ports'] {
  const { protocol, port } = new URL(baseUrl)
  return { [protocol]: [port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port)] }
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 }
