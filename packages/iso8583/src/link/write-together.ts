import type { Duplex } from 'node:stream'

/**
 * Writes bytes. All bytes that are written in one turn of the event loop are sent by one call of the operating system.
 *
 * @param onSent called once the bytes are sent, or cannot be sent
 */
export function writeTogether(connection: Duplex, bytes: Uint8Array, onSent: () => void): void {
  if (connection.writableCorked === 0) {
    connection.cork()
    process.nextTick(() => connection.uncork())
  }
  connection.write(bytes, onSent)
}
