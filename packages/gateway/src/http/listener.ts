import type { FastifyServerOptions } from 'fastify'
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Duplex } from 'node:stream'
import type { Gateway } from '../gateway.ts'
import { limits } from '../limits.ts'
import { tlsPolicy } from '../tls/policy.ts'
import type { Tls } from '../tls/tls.ts'
import { ALLOW_NO_METHOD, answerAndClose, answerAndCloseSocket, JSON_TYPE } from './answer-and-close.ts'
import { createConnectionBounds } from './connections/connection-bounds.ts'
import { type Fault, faultOf, faults } from './faults.ts'
import { wipeUnread } from './wipe-unread.ts'

/** The options in which listeners differ. */
interface ListenerSettings {
  readonly connectionsMax: number
  /** Renders the body of a refusal before routing, in the format of the listener. */
  readonly bodyOf: (fault: Fault) => string
  /** Content type of the bodies that `bodyOf` renders, by default JSON. */
  readonly type?: string
  readonly options?: ServerOptions
}

/**
 * The Fastify options of a listener: bounds on time and connections, and answers to input that reaches no handler
 * (ambiguous heads, malformed HTTP, and CONNECT).
 */
export function listenerOptions(
  { tls, connections }: Pick<Gateway, 'tls' | 'connections'>,
  { connectionsMax, bodyOf, type = JSON_TYPE, options }: ListenerSettings,
): Required<Pick<FastifyServerOptions, 'serverFactory' | 'clientErrorHandler'>> {
  const serverOptions: ServerOptions = {
    requestTimeout: limits.requestTimeoutMs,
    headersTimeout: limits.headersTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.connectionsCheckMs,
    ...options,
  }
  const answer = (socket: Duplex, fault: Fault, headerLines = ''): void =>
    connections.afterAnswers(socket, () =>
      answerAndCloseSocket(socket, fault.status, bodyOf(fault), { type, headerLines }),
    )
  const refuse: RequestListener = (request, response) => {
    wipeUnread(request)
    answerAndClose(response, faults.malformedHttp.status, bodyOf(faults.malformedHttp), type)
  }
  return {
    serverFactory(handler) {
      const server = createTlsOrPlainServer(tls, serverOptions, connections.bound(handler, refuse))
      server.maxConnections = connectionsMax
      connections.track(server)
      // Node emits no request for CONNECT; without a listener it closes the connection without an answer.
      server.on('connect', (_request, socket) => answer(socket, faults.methodNotAllowed, ALLOW_NO_METHOD))
      return server
    },
    clientErrorHandler(error, socket) {
      if (!socket.writable || isHandshakeError(error)) socket.destroy()
      else answer(socket, faultOf(error))
    },
  }
}

function createTlsOrPlainServer(tls: Tls | undefined, options: ServerOptions, handler: RequestListener): Server {
  if (!tls) return createServer(options, handler)
  const server = createTlsServer({ ...options, ...tlsPolicy, handshakeTimeout: limits.headersTimeoutMs }, handler)
  tls.attach(server)
  return server
}

/** Whether the error is a failed TLS handshake, after which no answer can be sent. */
const isHandshakeError = (error: Error): boolean => 'code' in error && /^ERR_(SSL|TLS)_/.test(String(error.code))

/**
 * Fastify options of the simulators and the sample shop: the timeouts of the gateway's listeners, plain HTTP, and
 * refusals in plain text.
 */
export const plainListenerOptions = () =>
  listenerOptions(
    { tls: undefined, connections: createConnectionBounds() },
    {
      connectionsMax: limits.testConnectionsMax,
      bodyOf: ({ description = faults.malformedHttp.description }) => `${description}\n`,
      type: 'text/plain; charset=utf-8',
    },
  )
