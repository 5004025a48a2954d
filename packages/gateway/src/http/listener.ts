import type { FastifyServerOptions } from 'fastify'
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { limits } from '../limits.ts'
import { tlsPolicy } from '../tls/policy.ts'
import type { Tls } from '../tls/tls.ts'
import { answerAndClose, answerBare } from './bare-answer.ts'
import { type ConnectionBounds, createConnectionBounds } from './connections/connection-bounds.ts'
import { faultOf, faults } from './faults.ts'

/** Differences between the two listeners of a gateway. */
export interface ListenerSetup {
  /** undefined: plain HTTP. */
  readonly tls: Tls | undefined
  readonly connections: ConnectionBounds
  readonly connectionsMax: number
  /** Answers a request with an ambiguous head, in the listener's own shape; the connection ends with it. */
  readonly refuse: RequestListener
  readonly options?: ServerOptions
}

/** Makes the server below a listener, with the bounds on time and connections that both listeners have. */
export function listener(setup: ListenerSetup): (handler: RequestListener) => Server {
  const { tls, connections, connectionsMax, refuse, options } = setup
  const bounded: ServerOptions = {
    requestTimeout: limits.requestTimeoutMs,
    headersTimeout: limits.headersTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.connectionsCheckMs,
    ...options,
  }
  return (handler) => {
    const server = serverOf(tls, bounded, connections.bound(handler, refuse))
    server.maxConnections = connectionsMax
    connections.watch(server)
    return server
  }
}

function serverOf(tls: Tls | undefined, options: ServerOptions, handler: RequestListener): Server {
  if (!tls) return createServer(options, handler)
  const server = createTlsServer({ ...options, ...tlsPolicy, handshakeTimeout: limits.headersTimeoutMs }, handler)
  tls.attach(server)
  return server
}

/**
 * Fastify options of a server beside the gateway, such as the simulators: plain HTTP with the gateway's bounds on
 * connections and time. What is no HTTP is refused in plain text.
 */
export function boundedConnections(): Pick<FastifyServerOptions, 'serverFactory' | 'clientErrorHandler'> {
  const connections = createConnectionBounds()
  const { status, description } = faults.malformedHttp
  return {
    serverFactory: listener({
      tls: undefined,
      connections,
      connectionsMax: limits.testConnectionsMax,
      refuse: (_request, response) => answerAndClose(response, status, `${description}\n`, TEXT_TYPE),
    }),
    clientErrorHandler(error, socket) {
      if (!socket.writable) return void socket.destroy()
      const fault = faultOf(error)
      const text = 'description' in fault ? fault.description : description
      connections.afterAnswers(socket, () => answerBare(socket, fault.status, `${text}\n`, { type: TEXT_TYPE }))
    },
  }
}

const TEXT_TYPE = 'text/plain; charset=utf-8'

/** Whether what failed was the handshake of TLS: nothing can be answered then, and strangers try all the time. */
export const isOfHandshake = (error: Error): boolean => 'code' in error && /^ERR_(SSL|TLS)_/.test(String(error.code))
