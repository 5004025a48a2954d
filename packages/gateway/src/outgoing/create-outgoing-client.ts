import { systemClock } from '../runtime/clock/movable-clock.ts'
import type { Clock, OutgoingClient, OutgoingReply } from '@tollgate/operations'
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
  /** This option and the following ones are for tests. */
  readonly ports?: Rules['ports']
  readonly resolve?: Resolve
  readonly authorities?: string
  readonly clock?: Clock
  readonly bounds?: Partial<Bounds>
}

const STOPPING = 'the gateway is stopping'
const FULL = 'the memory for bodies of requests in flight is full'

/**
 * Creates the client for requests to merchants' URLs. It follows no redirect, uses no proxy, and bounds each answer.
 * Every new connection resolves and checks its address; the connection is then reused for the same origin for at most
 * `connectionAgeMs`.
 */
export function createOutgoingClient(options: OutgoingOptions): OutgoingClient {
  const bounds: Bounds = { ...limits.outgoing, ...options.bounds }
  const rules: Rules = { environment: options.environment, ports: options.ports ?? usualPorts }
  const dial = createDial({ rules, bounds, resolve: options.resolve ?? resolveName, authorities: options.authorities })
  const parts = {
    bounds,
    connections: createConnections(dial, bounds),
    clock: options.clock ?? systemClock,
    inFlight: new Set<Fail>(),
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
      const body = request.body === undefined ? null : Buffer.from(request.body)
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

function notSent(kind: 'failed' | 'refused', reason: string): Promise<OutgoingReply> {
  return Promise.resolve({ kind, reason, durationMs: 0 })
}
