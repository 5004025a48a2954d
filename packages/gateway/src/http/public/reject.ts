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
  readonly mark?: RequestMark
  /** The body, if it was read; it is wiped. */
  readonly body?: Uint8Array
}

/** Answers to requests that are rejected before their operation. */
export interface Rejections {
  /** Rejects a client without valid credentials. @param body is wiped; undefined if it was not read */
  unauthenticated(
    reply: FastifyReply,
    reason: Exclude<CallerOrReason, Caller>,
    mark?: RequestMark,
    body?: Uint8Array,
  ): FastifyReply
  /** Rejects a request above the rate limit of its operation. It may be retried after `waitMs` milliseconds. */
  throttled(reply: FastifyReply, request: AuthenticatedRequest & { readonly waitMs: number }): Promise<FastifyReply>
  /** Rejects a request because too many requests or commits are in progress. */
  overloaded(reply: FastifyReply, request: AuthenticatedRequest): Promise<FastifyReply>
}

export function createRejections(
  { failedLogins, refusalPacing, clientInfo, counts }: Gateway,
  { mark: newMark, refusal, send }: Replies,
): Rejections {
  async function rejectPaced(
    reply: FastifyReply,
    fault: Fault,
    { caller, route, mark = newMark(), body }: AuthenticatedRequest,
    waitMs?: number,
  ): Promise<FastifyReply> {
    body?.fill(0)
    await refusalPacing()
    return send(reply, refusal(fault, mark, { entity: caller.entityId, operation: route.operation }), waitMs)
  }

  return {
    unauthenticated(reply, reason, mark = newMark(), body) {
      body?.fill(0)
      if (reason === 'missing') {
        reply.header('www-authenticate', 'Bearer')
        return send(reply, refusal(faults.unauthorized, mark))
      }
      const waitMs = failedLogins.record(clientInfo.addressOf(reply.request.raw), mark.atMs)
      if (waitMs === 0) return send(reply, refusal(faults.forbidden, mark))
      // Each further attempt needs a new connection.
      reply.header('connection', 'close')
      counts.rejected.add('credentials')
      return send(reply, refusal(faults.tooManyFailedLogins, mark), waitMs)
    },
    throttled(reply, request) {
      counts.rejected.add('throttled')
      return rejectPaced(reply, faults.throttled, request, request.waitMs)
    },
    overloaded(reply, request) {
      counts.rejected.add('busy')
      return rejectPaced(reply, faults.tooManyInProgress, request)
    },
  }
}
