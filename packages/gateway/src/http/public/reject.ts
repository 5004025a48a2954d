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
export interface TurnAway {
  /** Without credentials, or with wrong ones. @param sent its body, where that was read: it is wiped */
  stranger(reply: FastifyReply, who: Exclude<CallerOrReason, Caller>, at?: RequestMark, sent?: Uint8Array): FastifyReply
  /** Too many of its operation came in a minute. `waitMs`: milliseconds until there is a place */
  throttled(reply: FastifyReply, request: Known & { readonly waitMs: number }): Promise<FastifyReply>
  /** Too much is being worked on. */
  noRoom(reply: FastifyReply, request: Known): Promise<FastifyReply>
}

export function createTurnAway(
  { failedLogins, pace, origin, counts }: Gateway,
  { mark, refusal, send }: Replies,
): TurnAway {
  async function putOff(
    reply: FastifyReply,
    fault: Fault,
    { caller, route, at = mark(), sent }: Known,
    waitMs?: number,
  ): Promise<FastifyReply> {
    sent?.fill(0)
    await pace()
    return send(reply, refusal(fault, at, { entity: caller.entityId, operation: route.operation }), waitMs)
  }

  return {
    stranger(reply, who, at = mark(), sent) {
      sent?.fill(0)
      if (who === 'missing') {
        reply.header('www-authenticate', 'Bearer')
        return send(reply, refusal(faults.unauthorized, at))
      }
      const waitMs = failedLogins.note(origin.addressOf(reply.request.raw), at.atMs)
      if (waitMs === 0) return send(reply, refusal(faults.forbidden, at))
      // Whoever guesses on needs a new connection each time.
      reply.header('connection', 'close')
      counts.turnedAway.add('credentials')
      return send(reply, refusal(faults.wrongTooOften, at), waitMs)
    },
    throttled(reply, request) {
      counts.turnedAway.add('throttled')
      return putOff(reply, faults.throttled, request, request.waitMs)
    },
    noRoom(reply, request) {
      counts.turnedAway.add('busy')
      return putOff(reply, faults.tooMany, request)
    },
  }
}
