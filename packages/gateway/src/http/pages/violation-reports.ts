import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import { violationsIn } from '../../page-integrity/violations.ts'
import { networkOf } from '../../throttle/failed-logins.ts'
import { createThrottle } from '../../throttle/throttle.ts'

/**
 * The route `POST /pages/reports`, to which browsers report violations of a page's policy. Reports need no token, so
 * only a bounded number of them is counted and logged, with known words and a redacted origin. They have no other
 * effect.
 */
export function violationReportRoute({ pageIntegrity, pages, clientInfo, clock, log }: Gateway) {
  const reportThrottle = createThrottle(limits.throttleWindowMs, limits.throttleKeysMax)
  const logThrottle = createThrottle(limits.throttleWindowMs, 1)

  /** Refuses reports of a client above the limit before their bodies are read. */
  const onRequest: onRequestHookHandler = (request, reply, next) => {
    const sender = networkOf(clientInfo.addressOf(request.raw) ?? '')
    const waitMs = reportThrottle.take(sender, limits.reportsPerMinute, clock.now())
    if (waitMs === 0) return next()
    void reply
      .code(429)
      .header('retry-after', Math.ceil(waitMs / 1000))
      .header('connection', 'close')
      .send()
  }

  const handler = (request: FastifyRequest<{ Body: Buffer | undefined }>, reply: FastifyReply): FastifyReply => {
    for (const { page, directive, blocked } of violationsIn(request.body ?? new Uint8Array(), pages.url)) {
      pageIntegrity.violations.add(page, directive)
      if (logThrottle.take('', limits.reportLinesPerMinute, clock.now()) === 0)
        log.warn({ pages: page, directive, blocked })
    }
    return reply.code(204).send()
  }

  return { onRequest, bodyLimit: limits.reportBytesMax, handler }
}
