import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Answer, errorFields, type LogFields, type RequestMark, type Rest } from '@tollgate/operations'
import type { Gateway } from '../gateway.ts'
import { limits } from '../limits.ts'
import { httpClassOf, NO_OPERATION } from '../metrics/counts.ts'
import { JSON_TYPE } from './bare-answer.ts'
import { piecesOf } from './connections/pieces.ts'
import { wipeUnread } from './wipe-unread.ts'
import { type Fault, faults } from './faults.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The name of the operation in the contract; undefined: a page or a document. */
    operation?: string
  }
}

/** The operation of a request as the log names it; of a page or a document its method and its route. */
export const operationOf = ({ method, routeOptions: { config, url } }: FastifyRequest): string =>
  config.operation ?? `${method} ${url}`

/** How anything leaves the public listener. */
export interface Replies {
  /** A request as its answer and its line in the log name it. */
  readonly mark: () => RequestMark
  /**
   * The answer to a request that never became an operation, and its line in the log.
   *
   * @param more further members of the line
   */
  readonly refusal: (fault: Fault, at?: RequestMark, more?: LogFields) => Answer
  /** @param retryAfterMs with 429: when to come again, in whole seconds, rounded up */
  readonly send: (reply: FastifyReply, answer: Answer, retryAfterMs?: number) => FastifyReply
}

export function createReplies({ render, ids, clock, log, counts, readiness, connections }: Gateway): Replies {
  const mark = (): RequestMark => ({ requestId: ids.ordered(), atMs: clock.now() })
  return {
    mark,
    refusal(fault, at = mark(), more) {
      const { code, status, description, reason } = fault
      const line = { requestId: at.requestId, code, status, ...more }
      counts.requests.add(NO_OPERATION, httpClassOf(status), code)
      if (status >= 500) log.error({ error: 'unknown', ...line })
      else log.info(line)
      return render.refusal(status, code, at, { description, ...(reason !== undefined && { reason }) })
    },
    send(reply, answer, retryAfterMs = answer.retryAfterMs ?? limits.retryAfterMs) {
      wipeUnread(reply.request.raw)
      // A connection that stayed open after the last answer would delay the stop until the timeout.
      if (!readiness.ready) reply.header('connection', 'close')
      if (answer.status === faults.tooMany.status) reply.header('retry-after', Math.ceil(retryAfterMs / 1000))
      const { status, body, rest } = answer
      // The few short ones that a connection may have take no more than the operating system buffers for it.
      if (rest || body.length > limits.unchargedAnswerBytes) {
        connections.charge(reply.raw, body.length + (rest?.heldBytes ?? 0), reply.request.tenantQueue)
      }
      reply.code(status).header('content-type', JSON_TYPE)
      if (!rest && body.length <= limits.pieceBytes) return reply.send(body)
      const bytes = Buffer.from(body)
      if (!rest) reply.header('content-length', bytes.length)
      const pieces = Readable.from(inOrder(bytes, rest), { objectMode: false })
      // Its connection ends by then: a client sees that the answer is not whole.
      pieces.on('error', (error) => {
        const { requestId = '' } = rest ?? {}
        log.error({
          requestId,
          operation: operationOf(reply.request),
          code: answer.code,
          status,
          ...errorFields(error),
        })
      })
      return reply.send(pieces)
    },
  }
}

async function* inOrder(body: Uint8Array, rest: Rest | undefined): AsyncGenerator<string | Uint8Array> {
  yield* piecesOf(body)
  if (rest) yield* rest.pieces
}
