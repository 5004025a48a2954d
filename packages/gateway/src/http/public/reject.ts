import type { FastifyReply } from 'fastify'
import type { Caller, CallerOrReason, RequestMark } from '@tollgate/operations'
import type { Gateway } from '../../gateway.ts'
import { type Fault, faults } from '../faults.ts'
import type { Replies } from '../replies.ts'
import type { Route } from './routes.ts'

/** An authenticated request. */
interface AuthenticatedRequest {
  readonly caller: Caller
  readonly route: Route
  /** undefined before the request has an id. */
  readonly at?: RequestMark
  /** The body, if it was read; it is wiped. */
  readonly body?: Uint8Array
}

/** Answers to requests that are rejected before their operation. */
export interface Rejections {
  /** Rejects a client without valid credentials. @param body is wiped; undefined if it was not read */
  unauthenticated(
    reply: FastifyReply,
    reason: Exclude<CallerOrReason, Caller>,
    at?: RequestMark,
    body?: Uint8Array,
  ): FastifyReply
  /** Rejects a request above the rate limit of its operation. `waitMs`: milliseconds until it may be retried */
  throttled(reply: FastifyReply, request: AuthenticatedRequest & { readonly waitMs: number }): Promise<FastifyReply>
  /** Rejects a request without room in the queue. */
  overloaded(reply: FastifyReply, request: AuthenticatedRequest): Promise<FastifyReply>
}

export function createRejections(
  { failedLogins, refusalPacing, origin, counts }: Gateway,
  { mark, refusal, send }: Replies,
): Rejections {
  async function rejectPaced(
    reply: FastifyReply,
    fault: Fault,
    { caller, route, at = mark(), body }: AuthenticatedRequest,
    waitMs?: number,
  ): Promise<FastifyReply> {
    body?.fill(0)
    await refusalPacing()
    return send(reply, refusal(fault, at, { entity: caller.entityId, operation: route.operation }), waitMs)
  }

  return {
    unauthenticated(reply, reason, at = mark(), body) {
      body?.fill(0)
      if (reason === 'missing') {
        reply.header('www-authenticate', 'Bearer')
        return send(reply, refusal(faults.unauthorized, at))
      }
      const waitMs = failedLogins.record(origin.addressOf(reply.request.raw), at.atMs)
      if (waitMs === 0) return send(reply, refusal(faults.forbidden, at))
      // Each further attempt needs a new connection.
      reply.header('connection', 'close')
      counts.rejected.add('credentials')
      return send(reply, refusal(faults.wrongTooOften, at), waitMs)
    },
    throttled(reply, request) {
      counts.rejected.add('throttled')
      return rejectPaced(reply, faults.throttled, request, request.waitMs)
    },
    overloaded(reply, request) {
      counts.rejected.add('busy')
      return rejectPaced(reply, faults.tooMany, request)
    },
  }
}
