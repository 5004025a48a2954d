import type { FastifyInstance } from 'fastify'
import type { Gateway } from '../gateway.ts'

/**
 * `/healthz`: the process lives. `/readyz`: it takes work; 503 once it drains, or while there is no database to store
 * anything in, so that a balancer looks elsewhere.
 */
export function health(server: FastifyInstance, { readiness, storage }: Pick<Gateway, 'readiness' | 'storage'>): void {
  server.get('/healthz', () => ({ status: 'ok' }))
  server.get('/readyz', (_request, reply) => {
    if (!readiness.ready) return reply.code(503).send({ status: 'draining' })
    if (!storage.isReachable()) return reply.code(503).send({ status: 'no connection to the database' })
    return { status: 'ready' }
  })
}
