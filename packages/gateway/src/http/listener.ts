import type { FastifyServerOptions } from 'fastify'
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Duplex } from 'node:stream'
import type { Gateway } from '../gateway.ts'
import { limits } from '../limits.ts'
import { tlsPolicy } from '../tls/policy.ts'
import type { Tls } from '../tls/tls.ts'
import { ALLOW_NOTHING, answerAndClose, answerBare, JSON_TYPE } from './bare-answer.ts'
import { createConnectionBounds } from './connections/connection-bounds.ts'
import { type Fault, faultOf, faults } from './faults.ts'
import { wipeUnread } from './wipe-unread.ts'

/** Differences between listeners. */
interface Listener {
  readonly connectionsMax: number
  /** The body of an answer to a request that is refused before it has a handler, in the listener's own shape. */
  readonly bodyOf: (fault: Fault) => string
  /** Of these bodies; JSON unless another is given. */
  readonly type?: string
  readonly options?: ServerOptions
}

/**
 * Fastify options of a listener: the bounds on time and connections of all listeners, and answers to bytes that are no
 * request for a handler: an ambiguous head, no HTTP at all, or CONNECT.
 */
export function listener(
  { tls, connections }: Pick<Gateway, 'tls' | 'connections'>,
  { connectionsMax, bodyOf, type = JSON_TYPE, options }: Listener,
): Required<Pick<FastifyServerOptions, 'serverFactory' | 'clientErrorHandler'>> {
  const bounded: ServerOptions = {
    requestTimeout: limits.requestTimeoutMs,
    headersTimeout: limits.headersTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.connectionsCheckMs,
    ...options,
  }
  const answer = (socket: Duplex, fault: Fault, more = ''): void =>
    connections.afterAnswers(socket, () => answerBare(socket, fault.status, bodyOf(fault), { type, more }))
  const refuse: RequestListener = (request, response) => {
    wipeUnread(request)
    answerAndClose(response, faults.malformedHttp.status, bodyOf(faults.malformedHttp), type)
  }
  return {
    serverFactory(handler) {
      const server = serverOf(tls, bounded, connections.bound(handler, refuse))
      server.maxConnections = connectionsMax
      connections.watch(server)
      // The one method that Node does not take for a request: it would end the connection without a word.
      server.on('connect', (_request, socket) => answer(socket, faults.wrongMethod, ALLOW_NOTHING))
      return server
    },
    clientErrorHandler(error, socket) {
      if (!socket.writable || isOfHandshake(error)) socket.destroy()
      else answer(socket, faultOf(error))
    },
  }
}

function serverOf(tls: Tls | undefined, options: ServerOptions, handler: RequestListener): Server {
  if (!tls) return createServer(options, handler)
  const server = createTlsServer({ ...options, ...tlsPolicy, handshakeTimeout: limits.headersTimeoutMs }, handler)
  tls.attach(server)
  return server
}

/** A handshake of TLS that failed cannot be answered, and unauthenticated clients try all the time. */
const isOfHandshake = (error: Error): boolean => 'code' in error && /^ERR_(SSL|TLS)_/.test(String(error.code))

/** A listener beside the gateway, such as the simulators': plain HTTP, and refusals in plain text. */
export const boundedConnections = () =>
  listener(
    { tls: undefined, connections: createConnectionBounds() },
    {
      connectionsMax: limits.testConnectionsMax,
      bodyOf: ({ description = faults.malformedHttp.description }) => `${description}\n`,
      type: 'text/plain; charset=utf-8',
    },
  )
