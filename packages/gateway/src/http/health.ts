import type { FastifyInstance } from 'fastify'

/** Whether new work should come here: false while the process drains, even as it still takes some. */
export interface Readiness {
  ready: boolean
}

/** `/healthz`: the process lives. `/readyz`: it takes work; 503 once it drains, so that a balancer looks elsewhere. */
export function health(server: FastifyInstance, readiness: Readiness): void {
  server.get('/healthz', () => ({ status: 'ok' }))
  server.get('/readyz', (_request, reply) => {
    if (readiness.ready) return { status: 'ready' }
    return reply.code(503).send({ status: 'draining' })
  })
}
