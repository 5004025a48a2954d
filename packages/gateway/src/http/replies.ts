import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type Answer,
  errorFields,
  type LogFields,
  type RequestMark,
  type BodyRest,
  limits as operationLimits,
} from '@tollgate/operations'
import type { Gateway } from '../gateway.ts'
import { limits } from '../limits.ts'
import { httpClassOf, NO_OPERATION } from '../metrics/counts.ts'
import { accepts, CSV_TYPE } from './accepts.ts'
import { JSON_TYPE } from './answer-and-close.ts'
import { piecesOf } from './connections/pieces.ts'
import { wipeUnread } from './wipe-unread.ts'
import { type Fault, faults } from './faults.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The name of the operation in the contract; undefined for pages and documents. */
    operation?: string
  }
}

/** The name of a request's operation in the log; for a page or a document, its method and route. */
export const operationOf = ({ method, routeOptions: { config, url } }: FastifyRequest): string =>
  config.operation ?? `${method} ${url}`

/** Renders, logs and sends the answers of the public listener. */
export interface Replies {
  /** Creates the mark of a request: the id and the time for its answer and its log line. */
  readonly mark: () => RequestMark
  /**
   * Renders and logs the answer to a request that the HTTP layer refuses, or that fails with an error.
   *
   * @param logFields further fields of the log line
   */
  readonly refusal: (fault: Fault, requestMark?: RequestMark, logFields?: LogFields) => Answer
  /** @param retryAfterMs for a 429: the delay in `Retry-After`, which is rounded up to whole seconds */
  readonly send: (reply: FastifyReply, answer: Answer, retryAfterMs?: number) => FastifyReply
  /** As `send`, in fewer steps, for a reply that has no headers yet. */
  readonly sendPlain: (reply: FastifyReply, answer: Answer) => FastifyReply
}

export function createReplies({ render, ids, clock, log, counts, readiness, connections }: Gateway): Replies {
  const mark = (): RequestMark => ({ requestId: ids.ordered(), atMs: clock.now() })
  const replies: Replies = {
    mark,
    refusal(fault, requestMark = mark(), logFields) {
      const { code, status, description, reason } = fault
      const line = { requestId: requestMark.requestId, code, status, ...logFields }
      counts.requests.add(NO_OPERATION, httpClassOf(status), code)
      if (status >= 500) log.error({ error: 'unknown', ...line })
      else log.info(line)
      return render.refusal(status, code, requestMark, { description, ...(reason !== undefined && { reason }) })
    },
    send(reply, answer, retryAfterMs = answer.retryAfterMs ?? limits.retryAfterMs) {
      wipeUnread(reply.request.raw)
      // The connection is closed after the answer, because a client that kept sending requests on it would delay the
      // shutdown until the drain timeout.
      if (!readiness.ready) reply.header('connection', 'close')
      if (answer.status === faults.tooManyInProgress.status) reply.header('retry-after', Math.ceil(retryAfterMs / 1000))
      const { status, body, rest, type } = representationOf(reply, answer)
      // The short answers of one connection fit into the operating system's send buffer, so they are not charged.
      if (rest || body.length > limits.unchargedAnswerBytes) {
        connections.charge(reply.raw, body.length + (rest?.memoryBytes ?? 0), reply.request.tenantQueue)
      }
      reply.code(status).header('content-type', type)
      if (!rest && body.length <= limits.pieceBytes) return reply.send(body)
      const bytes = Buffer.from(body)
      if (!rest) reply.header('content-length', bytes.length)
      const stream = Readable.from(bodyThenRest(bytes, rest), { objectMode: false })
      // After an error the connection is closed, which shows the client that the answer is incomplete.
      stream.on('error', (error) => {
        const { requestId = '' } = rest ?? {}
        log.error({
          requestId,
          operation: operationOf(reply.request),
          code: answer.code,
          status,
          ...errorFields(error),
        })
      })
      return reply.send(stream)
    },
    sendPlain(reply, answer) {
      const { status, body, rest } = answer
      const isLong = rest !== undefined || body.length > limits.unchargedAnswerBytes
      const hasFurtherHeaders = !readiness.ready || status === faults.tooManyInProgress.status
      if (isLong || hasFurtherHeaders || reply.sent) return replies.send(reply, answer)
      wipeUnread(reply.request.raw)
      const length = Buffer.byteLength(body)
      const { raw } = reply.hijack()
      raw.writeHead(status, { 'content-type': JSON_TYPE, 'content-length': length })
      // An ASCII body has as many bytes as characters; as Latin-1, Node copies it without encoding.
      raw.end(body, length === body.length ? 'latin1' : 'utf8')
      return reply
    },
  }
  return replies
}

/** The body of an answer and its type: CSV if the answer has one and the header `Accept` names it, else JSON. */
function representationOf(reply: FastifyReply, { status, body, rest, csv }: Answer) {
  if (csv) reply.header('vary', 'accept')
  if (!csv || !accepts(reply.request, 'text/csv')) return { status, body, rest, type: JSON_TYPE }
  const pieces = { pieces: csv(), requestId: rest?.requestId ?? '', memoryBytes: operationLimits.streamedBytes }
  return { status, body: '', rest: pieces, type: CSV_TYPE }
}

async function* bodyThenRest(body: Uint8Array, rest: BodyRest | undefined): AsyncGenerator<string | Uint8Array> {
  yield* piecesOf(body)
  if (rest) yield* rest.pieces
}
