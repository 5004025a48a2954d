import type { FastifyRequest } from 'fastify'

/** For a route that requires nothing of its body: none is an empty one. */
export async function bodyIsOptional(request: FastifyRequest): Promise<void> {
  request.body ??= {}
}
