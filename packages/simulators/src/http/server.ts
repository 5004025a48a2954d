import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify'
import { limits } from '../limits.ts'
import type { Simulator } from '../simulator.ts'

/** A request whose body is read as text, regardless of its type. Without a body the text is empty. */
export type TextRequest = FastifyRequest<{ Body: string }>

/** A request to a path with an id. */
export type ByIdRequest = FastifyRequest<{ Body: string; Params: { id: string } }>

/**
 * Creates a server with the routes of simulators. It does not listen yet.
 *
 * @param options further options, such as bounds on connections
 */
export function simulatorServer(simulators: readonly Simulator[], options: FastifyServerOptions = {}): FastifyInstance {
  const server = Fastify({ ...options, bodyLimit: limits.bodyBytesMax, forceCloseConnections: true })
  server.server.headersTimeout = limits.headersTimeoutMs
  server.server.requestTimeout = limits.requestTimeoutMs
  server.server.keepAliveTimeout = limits.keepAliveTimeoutMs
  // Requests for the card with the fault `silence` get no answer: this timeout closes their connections.
  server.server.timeout = limits.inactivityTimeoutMs
  server.server.maxConnections = limits.connectionsMax

  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  server.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  })
  server.addHook('preValidation', async (request) => {
    request.body ??= ''
  })
  server.setErrorHandler<FastifyError>(({ statusCode = 500, message, stack }, _request, reply) => {
    if (statusCode < 500) return reply.code(statusCode).send(`${message}\n`)
    process.stderr.write(`simulators: ${stack}\n`)
    return reply.code(statusCode).send('The simulator failed; see its log for the reason.\n')
  })
  for (const simulator of simulators) server.register(async (scope) => simulator.register(scope))
  return server
}
