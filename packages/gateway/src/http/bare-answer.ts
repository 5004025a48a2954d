import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

export const JSON_TYPE = 'application/json;charset=UTF-8'

/**
 * Writes an answer to a socket that Node has handed over, because its bytes are no request for a handler: malformed
 * HTTP, or CONNECT. Then closes the connection, even if the client keeps its side open, because no timeout applies to
 * it.
 *
 * @param socket a writable socket
 * @param type content type of the body, by default JSON
 * @param more further header lines, each with its line end
 */
export function answerBare(socket: Duplex, status: number, body: string, { type = JSON_TYPE, more = '' } = {}): void {
  const head = `HTTP/1.1 ${status} Refused\r\ncontent-type: ${type}\r\nconnection: close\r\n${more}`
  // Node has removed its own error listener, and the client may disconnect at any time.
  socket.on('error', () => undefined)
  socket.end(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`, () => socket.destroy())
}

/**
 * Answers a request that is refused because of its head, and closes the connection, because the bytes that follow are
 * ambiguous.
 *
 * @param type content type of the body, by default JSON
 */
export function answerAndClose(response: ServerResponse, status: number, body: string, type = JSON_TYPE): void {
  const length = Buffer.byteLength(body)
  response.writeHead(status, { 'content-type': type, 'content-length': length, connection: 'close' }).end(body)
}

/** Header line of a 405 for a request target that supports no method. */
export const ALLOW_NOTHING = 'allow: \r\n'
