import { decodeForm, type Form } from '@tollgate/contract'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Answer, RequestMark } from '../../answer.ts'
import type { Caller } from '../../directory.ts'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import { health } from '../health.ts'
import { FaultError, type Fault, faultOf, faults } from './faults.ts'
import { isUtf8, readBody, wipeUnread } from './form-body.ts'
import { documents, routes } from './routes.ts'
import { serve } from './serve.ts'

const JSON_TYPE = 'application/json;charset=UTF-8'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

/** The listener that merchants call. Every answer is JSON, whatever went wrong. */
export function publicServer(gateway: Gateway): FastifyInstance {
  const { render, ids, clock, directory, log } = gateway
  const mark = (): RequestMark => ({ requestId: ids.ordered(), atMs: clock.now() })
  /** The answer to a request that never became an operation, and its line in the log; operations log in serve.ts. */
  const refusal = (fault: Fault, at = mark(), error?: unknown) => {
    const { code, status, description } = fault
    const line = { requestId: at.requestId, code, status }
    // The error's name only: a message could quote what was sent.
    if (status >= 500) log.error({ ...line, error: error instanceof Error ? error.name : 'unknown' })
    else log.info(line)
    return render.refusal(status, code, at, description === undefined ? {} : { description })
  }
  const send = (reply: FastifyReply, answer: Answer) => {
    wipeUnread(reply.request.raw)
    // A connection that stayed open after the last answer would hold up the stop until its time runs out.
    if (!gateway.readiness.ready) reply.header('connection', 'close')
    return reply.code(answer.status).header('content-type', JSON_TYPE).send(answer.body)
  }

  const server = Fastify({
    logger: false,
    bodyLimit: limits.bodyBytesMax,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    // While the process drains it answers what still arrives, in our words rather than the framework's.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 128 },
    http: { headersTimeout: limits.headersTimeoutMs, connectionsCheckingInterval: 1_000, requireHostHeader: false },
    frameworkErrors: (error, _request, reply) => void send(reply, refusal(faultOf(error))),
    clientErrorHandler(error, socket) {
      if (!socket.writable) return
      const fault = faultOf(error)
      const { body } = refusal(fault)
      const head = `HTTP/1.1 ${fault.status} Refused\r\ncontent-type: ${JSON_TYPE}\r\nconnection: close\r\n`
      socket.end(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
    },
  })
  server.server.maxConnections = limits.connectionsMax
  // An expectation that we do not know is ignored; Node would answer it with an empty 417.
  server.server.on('checkExpectation', (request, response) => void server.server.emit('request', request, response))

  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/x-www-form-urlencoded', (request, stream, done) => {
    const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = request.headers
    if (!isUtf8(type) || coding.toLowerCase() !== 'identity') return done(new FaultError(faults.mediaType))
    if (Number(request.headers['content-length']) > limits.bodyBytesMax) return done(new FaultError(faults.tooLarge))
    readBody(stream, (body) => (Buffer.isBuffer(body) ? done(null, decodeForm(body)) : done(new FaultError(body))))
  })

  server.setErrorHandler((error, _request, reply) => {
    const fault = faultOf(error)
    // What remains of a body that is refused half-way must not be read as the next request.
    if (fault.status === 413 || fault.status === 415) reply.header('connection', 'close')
    return send(reply, refusal(fault, mark(), error))
  })

  server.setNotFoundHandler<{ Body: Form | undefined }>((request, reply) => {
    request.body?.wipe()
    const allowed = methodsOf(request.url.split('?', 1)[0] ?? '')
    if (allowed.length === 0) return send(reply, refusal(faults.noSuchPath))
    reply.header('allow', allowed.join(', '))
    return send(reply, refusal(faults.wrongMethod))
  })

  health(server, gateway.readiness)
  for (const document of documents) {
    server.get(document.path, (_request, reply) => send(reply, document.answer(gateway, mark())))
  }

  server.register(async (authenticated) => {
    authenticated.decorateRequest('caller')
    authenticated.addHook('onRequest', (request, reply, next) => {
      const caller = directory.authenticate(request.headers.authorization, clock.now())
      if (typeof caller === 'object') {
        request.caller = caller
        return next()
      }
      if (caller === 'missing') reply.header('www-authenticate', 'Bearer')
      send(reply, refusal(caller === 'missing' ? faults.unauthorized : faults.forbidden))
    })

    let inFlight = 0
    for (const route of routes) {
      authenticated.route<{ Params: { id?: string }; Body: Form | undefined }>({
        method: route.method,
        url: route.path,
        async handler(request, reply) {
          const at = mark()
          const form = formOf(request)
          if (inFlight >= limits.inFlightMax || gateway.storage.depth() >= limits.commitDepthMax) {
            form.wipe()
            reply.header('retry-after', limits.retryAfterSeconds)
            return send(reply, refusal(faults.tooMany, at))
          }
          inFlight += 1
          try {
            const { id = '' } = request.params
            const idempotencyKey = request.headers['idempotency-key']
            return send(reply, await serve(gateway, route, { ...at, caller: request.caller, form, id, idempotencyKey }))
          } finally {
            inFlight -= 1
            form.wipe()
          }
        },
      })
    }
  })
  return server
}

/** The decoded body of a POST; elsewhere the query string, which is a form too. */
function formOf({ method, url, body }: FastifyRequest<{ Body: Form | undefined }>): Form {
  if (method === 'POST') return body ?? decodeForm(new Uint8Array())
  // A body where none is expected says nothing, but may hold a secret.
  body?.wipe()
  const at = url.indexOf('?')
  return decodeForm(Buffer.from(at < 0 ? '' : url.slice(at + 1)))
}

function methodsOf(path: string): string[] {
  const trimmed = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  const serving = [...routes, ...documents].filter((route) =>
    new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(trimmed),
  )
  return [...new Set(serving.map((route) => route.method))]
}
