import type { FastifyInstance } from 'fastify'
import type { Gateway } from '../gateway.ts'
import { missingInLive } from '../missing-in-live.ts'

/**
 * Adds `/healthz`, which answers while the process runs, and `/readyz`, which answers with 503 while the process
 * drains, the database is unavailable, or the live environment is not set up, so that a load balancer selects other
 * processes.
 */
export function healthRoutes(server: FastifyInstance, gateway: Gateway): void {
  const { readiness, storage } = gateway
  server.get('/healthz', () => ({ status: 'ok' }))
  server.get('/readyz', (_request, reply) => {
    if (!readiness.ready) return reply.code(503).send({ status: 'draining' })
    if (!storage.isReachable()) return reply.code(503).send({ status: 'no connection to the database' })
    const missing = missingInLive(gateway)
    if (missing !== undefined) return reply.code(503).send({ status: missing })
    return { status: 'ready' }
  })
}
