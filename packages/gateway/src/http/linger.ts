import type { Socket } from 'node:net'
import { limits } from '../../limits.ts'

/**
 * Closes a connection whose client may still be sending. The close of both sides at once would reset the connection,
 * so that the client could lose the answer (RFC 9112, 9.6). Therefore the rest is read and dropped, until the client
 * closes its side, for at most `limits.lingerMs`.
 */
export function linger(socket: Socket): void {
  socket.end()
  const timer = setTimeout(() => socket.destroy(), limits.lingerMs)
  socket.once('close', () => clearTimeout(timer))
}
