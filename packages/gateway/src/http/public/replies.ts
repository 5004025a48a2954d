import type { FastifyReply } from 'fastify'
import type { Answer, RequestMark } from '../../answer.ts'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import { JSON_TYPE } from '../bare-answer.ts'
import { type Fault, faults } from './faults.ts'
import { wipeUnread } from './form-body.ts'

/** How anything leaves the public listener. */
export interface Replies {
  /** A request as its answer and its line in the log name it. */
  readonly mark: () => RequestMark
  /** The answer to a request that never became an operation, and its line in the log; operations log in serve.ts. */
  readonly refusal: (fault: Fault, at?: RequestMark, error?: unknown) => Answer
  readonly send: (reply: FastifyReply, answer: Answer) => FastifyReply
}

export function createReplies({ render, ids, clock, log, readiness }: Gateway): Replies {
  const mark = (): RequestMark => ({ requestId: ids.ordered(), atMs: clock.now() })
  return {
    mark,
    refusal(fault, at = mark(), error) {
      const { code, status, description } = fault
      const line = { requestId: at.requestId, code, status }
      // The error's name only: a message could quote what was sent.
      if (status >= 500) log.error({ ...line, error: error instanceof Error ? error.name : 'unknown' })
      else log.info(line)
      return render.refusal(status, code, at, description === undefined ? {} : { description })
    },
    send(reply, answer) {
      wipeUnread(reply.request.raw)
      // A connection that stayed open after the last answer would hold up the stop until its time runs out.
      if (!readiness.ready) reply.header('connection', 'close')
      if (answer.status === faults.tooMany.status) reply.header('retry-after', limits.retryAfterSeconds)
      return reply.code(answer.status).header('content-type', JSON_TYPE).send(answer.body)
    },
  }
}
