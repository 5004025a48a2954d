import { systemClock } from '../runtime/clock/movable-clock.ts'
import type { Clock, OutgoingClient, OutgoingReply, OutgoingRequest } from '@tollgate/operations'
import { limits } from '../limits.ts'
import type { Bounds } from './bounds.ts'
import { createConnections } from './connections.ts'
import { createDial } from './dial.ts'
import { CANCELLED, type Fail, exchange } from './exchange.ts'
import { NoAnswer } from './failure-reasons.ts'
import { type Resolve, resolveName } from './resolve.ts'
import { type Rules, type Target, targetOf, usualPorts } from './target.ts'

export interface OutgoingOptions {
  readonly environment: Rules['environment']
  /** The permitted ports; by default the usual ones. */
  readonly ports?: Rules['ports'] | undefined
  /** Addresses that are permitted although they are not public, by default none. */
  readonly networks?: Rules['networks']
  /** Certificates of authorities, PEM, which replace those that Node trusts. */
  readonly authorities?: string | undefined
  /** SHA-256 of the server's public key (SubjectPublicKeyInfo, DER) in base64. No other key is accepted then. */
  readonly pinnedKey?: string | undefined
  readonly bounds?: Partial<Bounds> | undefined
  /** This option and the following one are for tests. */
  readonly resolve?: Resolve
  readonly clock?: Clock
}

const STOPPING = 'the gateway is stopping'
const FULL = 'the memory for bodies of requests in flight is full'

/**
 * Creates a client for requests to merchants' URLs or to a provider. It follows no redirect, uses no proxy, and bounds
 * each answer. Every new connection resolves and checks its address; the connection is then reused for the same origin
 * for at most `connectionAgeMs`.
 */
export function createOutgoingClient(options: OutgoingOptions): OutgoingClient {
  const bounds: Bounds = { ...limits.outgoing, ...options.bounds }
  const { environment, ports = usualPorts, networks, authorities, pinnedKey, resolve = resolveName } = options
  const rules: Rules = { environment, ports, networks }
  const dial = createDial({ rules, bounds, resolve, authorities, pinnedKey })
  const parts = {
    bounds,
    connections: createConnections(dial, bounds),
    clock: options.clock ?? systemClock,
    inFlight: new Set<Fail>(),
    answers: { bytes: 0 },
  }
  const recent = new Map<string, Target | string>()
  let isClosed = false
  /** Bytes of the bodies of all requests in flight and waiting. */
  let bodiesBytes = 0

  /** Caches parsed URLs, because a few endpoints receive most requests. */
  function recentTarget(url: string): Target | string {
    const cached = recent.get(url)
    if (cached !== undefined) return cached
    const target = targetOf(url, rules)
    if (recent.size >= bounds.recentTargetsMax) recent.clear()
    recent.set(url, target)
    return target
  }

  return {
    send(request) {
      if (isClosed) return notSent('failed', STOPPING)
      const target = recentTarget(request.url)
      if (typeof target === 'string') return notSent('refused', target)
      const body = bytesOf(request.body)
      if (body && body.length > bounds.bodyBytesMax) {
        return notSent('failed', `the body is longer than ${bounds.bodyBytesMax} bytes`)
      }
      if (request.signal?.aborted) return notSent('failed', CANCELLED)
      const bytes = body?.length ?? 0
      if (bodiesBytes + bytes > bounds.bodiesBytesMax) return notSent('failed', FULL)
      bodiesBytes += bytes
      return new Promise((reply) => {
        exchange(target, request, body, parts, (answer) => {
          bodiesBytes -= bytes
          reply(answer)
        })
      })
    },
    refusalReason(url) {
      const target = targetOf(url, rules)
      return typeof target === 'string' ? target : undefined
    },
    async close() {
      isClosed = true
      // The newest requests are ended first: a request that waits must not get the connection of an older one.
      for (const end of [...parts.inFlight].toReversed()) end(new NoAnswer('failed', STOPPING))
      await parts.connections.close()
    },
  }
}

/** The bytes of a body: those of the caller if there are any, because a copy could not be erased. */
function bytesOf(body: OutgoingRequest['body']): Buffer | null {
  if (body === undefined) return null
  return typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}

function notSent(kind: 'failed' | 'refused', reason: string): Promise<OutgoingReply> {
  return Promise.resolve(
    kind === 'refused' ? { kind, reason, durationMs: 0 } : { kind, reason, sent: false, durationMs: 0 },
  )
}
