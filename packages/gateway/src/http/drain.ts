import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { limits } from '../limits.ts'
import type { Readiness } from '../runtime/readiness.ts'

/**
 * Prepares servers, before they listen, for a graceful stop.
 *
 * @returns a function that stops the servers. For `delayMs` they still serve requests but report that they are not
 *   ready, so that a load balancer selects other processes; then they accept no new connections. The function resolves
 *   when all requests in progress are answered, at the latest after the drain timeout
 */
export function prepareDrain(
  servers: readonly FastifyInstance[],
  readiness: Readiness,
): (delayMs: number) => Promise<void> {
  const sockets = new Set<Socket>()
  for (const { server } of servers) {
    // With TLS, only the TLSSocket counts the bytes of requests. It exists after the handshake, which has a timeout.
    server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
  }

  /** Closes connections without a request in progress. Node does not count a connection without bytes as idle. */
  function closeIdleConnections(): void {
    for (const { server } of servers) server.closeIdleConnections()
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }

  return async (delayMs) => {
    readiness.ready = false
    if (delayMs > 0) await delay(delayMs)
    const idleTimer = setInterval(closeIdleConnections, limits.drainIdleCheckMs)
    const drainTimer = setTimeout(() => {
      for (const { server } of servers) server.closeAllConnections()
    }, limits.drainTimeoutMs)
    await Promise.all(servers.map((server) => server.close()))
    clearInterval(idleTimer)
    clearTimeout(drainTimer)
  }
}
