import type { FastifyReply } from 'fastify'
import type { Caller, CallerOrReason, RequestMark } from '@tollgate/operations'
import type { Gateway } from '../../gateway.ts'
import { type Fault, faults } from '../faults.ts'
import type { Replies } from '../replies.ts'
import type { Route } from './routes.ts'

/** An authenticated request. */
interface Known {
  readonly caller: Caller
  readonly route: Route
  /** undefined before it has an id. */
  readonly at?: RequestMark
  /** Its body, if it was read; it is wiped. */
  readonly sent?: Uint8Array
}

/** Answers to requests that are rejected before their operation. */
export interface Rejections {
  /** A client without valid credentials. @param sent the body, if it was read; it is wiped */
  unauthenticated(
    reply: FastifyReply,
    who: Exclude<CallerOrReason, Caller>,
    at?: RequestMark,
    sent?: Uint8Array,
  ): FastifyReply
  /** A request over the rate limit of its operation. `waitMs`: milliseconds until the next place */
  throttled(reply: FastifyReply, request: Known & { readonly waitMs: number }): Promise<FastifyReply>
  /** A request that the queue has no room for. */
  overloaded(reply: FastifyReply, request: Known): Promise<FastifyReply>
}

export function createRejections(
  { failedLogins, refusalPacing, origin, counts }: Gateway,
  { mark, refusal, send }: Replies,
): Rejections {
  async function putOff(
    reply: FastifyReply,
    fault: Fault,
    { caller, route, at = mark(), sent }: Known,
    waitMs?: number,
  ): Promise<FastifyReply> {
    sent?.fill(0)
    await refusalPacing()
    return send(reply, refusal(fault, at, { entity: caller.entityId, operation: route.operation }), waitMs)
  }

  return {
    unauthenticated(reply, who, at = mark(), sent) {
      sent?.fill(0)
      if (who === 'missing') {
        reply.header('www-authenticate', 'Bearer')
        return send(reply, refusal(faults.unauthorized, at))
      }
      const waitMs = failedLogins.note(origin.addressOf(reply.request.raw), at.atMs)
      if (waitMs === 0) return send(reply, refusal(faults.forbidden, at))
      // Each further guess needs a new connection.
      reply.header('connection', 'close')
      counts.rejected.add('credentials')
      return send(reply, refusal(faults.wrongTooOften, at), waitMs)
    },
    throttled(reply, request) {
      counts.rejected.add('throttled')
      return putOff(reply, faults.throttled, request, request.waitMs)
    },
    overloaded(reply, request) {
      counts.rejected.add('busy')
      return putOff(reply, faults.tooMany, request)
    },
  }
}
