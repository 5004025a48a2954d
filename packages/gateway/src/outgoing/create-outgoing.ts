import { systemClock } from '../runtime/clock/movable-clock.ts'
import type { Clock, Outgoing, OutgoingReply } from '@tollgate/operations'
import { limits } from '../limits.ts'
import type { Bounds } from './bounds.ts'
import { createConnections } from './connections.ts'
import { createDial } from './dial.ts'
import { CALLED_OFF, type End, exchange } from './exchange.ts'
import { NoAnswer } from './failure-reasons.ts'
import { type Resolve, resolveName } from './resolve.ts'
import { type Rules, type Target, targetOf, usualPorts } from './target.ts'

export interface OutgoingOptions {
  readonly environment: Rules['environment']
  /** Bounds for tests; the service has the defaults. */
  readonly ports?: Rules['ports']
  readonly resolve?: Resolve
  readonly authorities?: string
  readonly clock?: Clock
  readonly bounds?: Partial<Bounds>
}

const STOPPING = 'the gateway is stopping'
const FULL = 'the bodies of other requests under way take all of the memory that is set aside for them'

/**
 * Follows no redirect, has no proxy, and bounds all that the other side can do. Every new connection resolves and
 * checks its address; it then serves the same origin for at most `connectionAgeMs`, at the address that was checked.
 */
export function createOutgoing(options: OutgoingOptions): Outgoing {
  const bounds: Bounds = { ...limits.outgoing, ...options.bounds }
  const rules: Rules = { environment: options.environment, ports: options.ports ?? usualPorts }
  const dial = createDial({ rules, bounds, resolve: options.resolve ?? resolveName, authorities: options.authorities })
  const parts = {
    bounds,
    connections: createConnections(dial, bounds),
    clock: options.clock ?? systemClock,
    inFlight: new Set<End>(),
  }
  const recent = new Map<string, Target | string>()
  let isClosed = false
  /** Of all requests under way and waiting. */
  let bodiesBytes = 0

  /** Endpoints are few, and each is sent to again and again. */
  function recentTarget(url: string): Target | string {
    const known = recent.get(url)
    if (known !== undefined) return known
    const target = targetOf(url, rules)
    if (recent.size >= bounds.recentTargetsMax) recent.clear()
    recent.set(url, target)
    return target
  }

  return {
    send(request) {
      if (isClosed) return unsent('failed', STOPPING)
      const target = recentTarget(request.url)
      if (typeof target === 'string') return unsent('refused', target)
      const body = request.body === undefined ? null : Buffer.from(request.body)
      if (body && body.length > bounds.bodyBytesMax) {
        return unsent('failed', `the body is longer than ${bounds.bodyBytesMax} bytes`)
      }
      if (request.signal?.aborted) return unsent('failed', CALLED_OFF)
      const bytes = body?.length ?? 0
      if (bodiesBytes + bytes > bounds.bodiesBytesMax) return unsent('failed', FULL)
      bodiesBytes += bytes
      return new Promise((reply) => {
        exchange(target, request, body, parts, (answer) => {
          bodiesBytes -= bytes
          reply(answer)
        })
      })
    },
    objection(url) {
      const target = targetOf(url, rules)
      return typeof target === 'string' ? target : undefined
    },
    async close() {
      isClosed = true
      // The newest first: they wait for a connection of the older ones.
      for (const end of [...parts.inFlight].toReversed()) end(new NoAnswer('failed', STOPPING))
      await parts.connections.close()
    },
  }
}

function unsent(kind: 'failed' | 'refused', reason: string): Promise<OutgoingReply> {
  return Promise.resolve({ kind, reason, durationMs: 0 })
}
