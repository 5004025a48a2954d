import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import { setTimeout as elapsed } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { limits } from '../limits.ts'
import type { Readiness } from '../runtime/readiness.ts'

/**
 * Prepares servers, before they listen, for a graceful stop.
 *
 * @returns stops them: for `delayMs` they serve but report that they are not ready, so that a load balancer sends
 *   requests elsewhere; then they take no new connection. Resolves when requests in progress have their answers, at the
 *   latest after the drain timeout
 */
export function drainer(servers: readonly FastifyInstance[], readiness: Readiness): (delayMs: number) => Promise<void> {
  const sockets = new Set<Socket>()
  for (const { server } of servers) {
    // With TLS the bytes are read from another socket than the one that was accepted; a handshake ends by its timeout.
    server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
  }

  /**
   * Ends connections without a request in progress. Node does not count a connection that never sent a byte as idle.
   */
  function sweep(): void {
    for (const { server } of servers) server.closeIdleConnections()
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }

  return async (delayMs) => {
    readiness.ready = false
    if (delayMs > 0) await elapsed(delayMs)
    const sweeping = setInterval(sweep, limits.drainSweepMs)
    const late = setTimeout(() => {
      for (const { server } of servers) server.closeAllConnections()
    }, limits.drainTimeoutMs)
    await Promise.all(servers.map((server) => server.close()))
    clearInterval(sweeping)
    clearTimeout(late)
  }
}
