import { errorFields } from '@tollgate/operations'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import { recordAllowedMethods } from '../allowed-methods.ts'
import { healthRoutes } from '../health.ts'
import { listenerOptions } from '../listener.ts'
import { createAddressPacingHook } from '../address-pacing-hook.ts'
import { pageRoutes } from '../pages/pages.ts'
import { FaultError, faultOf, faults } from '../faults.ts'
import { createBodyReader, FORM_TYPE, isForm } from './form-body.ts'
import { addRedirects } from './redirected-paths.ts'
import { operationRoutes } from './admit.ts'
import { createReplies, operationOf } from '../replies.ts'
import { documents } from './routes.ts'

/** Creates the server for merchants and shoppers. Answers of operations are JSON, including errors. */
export function publicServer(gateway: Gateway): FastifyInstance {
  const replies = createReplies(gateway)
  const { mark, refusal, send } = replies
  const readBody = createBodyReader(limits.bodiesBytesMax)
  const readUnauthenticatedBody = createBodyReader(limits.unauthenticatedBodiesBytesMax)

  const server = Fastify({
    logger: false,
    bodyLimit: limits.bodyBytesMax,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    // While the process drains, the handlers still answer requests; by default Fastify answers them with 503 itself.
    return503OnClosing: false,
    routerOptions: {
      ignoreTrailingSlash: true,
      // "base_url ends with a slash": clients that append `/v1/…` to it request `//v1/…`.
      ignoreDuplicateSlashes: true,
      maxParamLength: limits.pathParameterCharsMax,
      // Queries are not parsed here: operations decode their bytes, and pages read single parameters.
      querystringParser: () => ({}),
    },
    frameworkErrors: (error, _request, reply) => void send(reply, refusal(faultOf(error))),
    ...listenerOptions(gateway, {
      connectionsMax: limits.connectionsMax,
      bodyOf: (fault) => refusal(fault).body,
      options: { requireHostHeader: false },
    }),
  })
  // An unknown expectation is ignored; Node would answer it with an empty 417.
  server.server.on('checkExpectation', (request, response) => void server.server.emit('request', request, response))

  server.removeAllContentTypeParsers()
  server.addContentTypeParser(FORM_TYPE, (request, stream, done) => {
    if (!isForm(request.headers)) return done(new FaultError(faults.unsupportedMediaType))
    if (Number(request.headers['content-length']) > limits.bodyBytesMax)
      return done(new FaultError(faults.bodyTooLarge))
    const read = request.tenantQueue ? readBody : readUnauthenticatedBody
    read(stream, request.tenantQueue, (body) => (Buffer.isBuffer(body) ? done(null, body) : done(new FaultError(body))))
  })

  server.setErrorHandler((error, request, reply) => {
    const fault = faultOf(error)
    // The rest of a body that is refused half-way must not be parsed as the next request.
    if (fault.status === 413 || fault.status === 415) reply.header('connection', 'close')
    const isInternal = fault.status >= 500
    return send(
      reply,
      refusal(fault, mark(), isInternal ? { operation: operationOf(request), ...errorFields(error) } : {}),
    )
  })

  const refuseTooFast = (reply: FastifyReply, waitMs: number) => send(reply, refusal(faults.addressThrottled), waitMs)
  const paceAddress = createAddressPacingHook(gateway, refuseTooFast)
  server.setNotFoundHandler<{ Body: Buffer | undefined }>({ preHandler: paceAddress }, (request, reply) => {
    request.body?.fill(0)
    const allowed = methodsOf(request.url)
    if (allowed.length === 0) return send(reply, refusal(faults.unknownPath))
    reply.header('allow', allowed.join(', '))
    return send(reply, refusal(faults.methodNotAllowed))
  })

  const methodsOf = recordAllowedMethods(server)
  healthRoutes(server, gateway)
  for (const document of documents) {
    const onRequest = createAddressPacingHook(gateway, refuseTooFast, document.bytes)
    server.get(document.path, { onRequest }, (_request, reply) => send(reply, document.answer(gateway, mark())))
  }

  addRedirects(server, gateway, replies, paceAddress)

  server.register((unauthenticated) => pageRoutes(unauthenticated, gateway, replies, paceAddress))
  server.register((authenticated) => operationRoutes(authenticated, gateway, replies, paceAddress))
  return server
}
