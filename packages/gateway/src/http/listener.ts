import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { limits } from '../limits.ts'
import { tlsPolicy } from '../tls/policy.ts'
import type { Tls } from '../tls/tls.ts'

/**
 * Makes the server below a listener, with or without TLS, and with the bounds on time that both listeners have.
 *
 * @param tls undefined: it speaks plain HTTP
 */
export function listener(tls: Tls | undefined, options: ServerOptions = {}): (handler: RequestListener) => Server {
  const bounded: ServerOptions = {
    requestTimeout: limits.requestTimeoutMs,
    headersTimeout: limits.headersTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    ...options,
  }
  return (handler) => {
    if (!tls) return createServer(bounded, handler)
    const server = createTlsServer({ ...bounded, ...tlsPolicy, handshakeTimeout: limits.headersTimeoutMs }, handler)
    tls.attach(server)
    return server
  }
}

/** Whether what failed was the handshake of TLS: nothing can be answered then, and strangers try all the time. */
export const isOfHandshake = (error: Error): boolean => 'code' in error && /^ERR_(SSL|TLS)_/.test(String(error.code))
