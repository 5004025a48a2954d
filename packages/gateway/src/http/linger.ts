import type { Duplex } from 'node:stream'
import { limits } from '../limits.ts'

/**
 * Closes a connection whose client may still be sending a request. The close of both sides at once would reset the
 * connection, so that the client could lose the answer (RFC 9112, 9.6). Therefore the rest is read and dropped until
 * the client closes its side, for at most `limits.lingerMs`.
 */
export function linger(socket: Duplex): void {
  // Node's parser no longer gets the bytes: they are no request, and may contain a card number.
  socket.removeAllListeners('data')
  socket.on('data', (bytes: Buffer) => bytes.fill(0))
  socket.resume()
  socket.end()
  const timer = setTimeout(() => socket.destroy(), limits.lingerMs)
  socket.once('close', () => clearTimeout(timer))
}
