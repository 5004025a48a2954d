import type { FastifyInstance } from 'fastify'
import type { Gateway } from '../gateway.ts'

/**
 * Adds `/healthz`, which answers while the process runs, and `/readyz`, which answers with 503 while the process drains
 * or the database is unavailable, so that a load balancer selects other processes.
 */
export function healthRoutes(
  server: FastifyInstance,
  { readiness, storage }: Pick<Gateway, 'readiness' | 'storage'>,
): void {
  server.get('/healthz', () => ({ status: 'ok' }))
  server.get('/readyz', (_request, reply) => {
    if (!readiness.ready) return reply.code(503).send({ status: 'draining' })
    if (!storage.isReachable()) return reply.code(503).send({ status: 'no connection to the database' })
    return { status: 'ready' }
  })
}
