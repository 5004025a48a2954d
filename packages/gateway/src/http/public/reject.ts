import type { FastifyReply } from 'fastify'
import type { Caller, CallerOrReason, RequestMark } from '@tollgate/operations'
import type { Gateway } from '../../gateway.ts'
import { type Fault, faults } from '../faults.ts'
import type { Replies } from '../replies.ts'
import type { Route } from './route.ts'

/** A request that was known for whose it is. */
interface Known {
  readonly caller: Caller
  readonly route: Route
  /** undefined where it has no id yet. */
  readonly at?: RequestMark
  /** Its body, where that was read: it is wiped. */
  readonly sent?: Uint8Array
}

/** How a request leaves that never becomes an operation. */
export interface Rejections {
  /** Without credentials, or with wrong ones. @param sent its body, where that was read: it is wiped */
  unauthenticated(
    reply: FastifyReply,
    who: Exclude<CallerOrReason, Caller>,
    at?: RequestMark,
    sent?: Uint8Array,
  ): FastifyReply
  /** Too many of its operation came in a minute. `waitMs`: milliseconds until there is a place */
  throttled(reply: FastifyReply, request: Known & { readonly waitMs: number }): Promise<FastifyReply>
  /** Too much is being worked on. */
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
      // Whoever guesses on needs a new connection each time.
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
