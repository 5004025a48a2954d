import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

export const JSON_TYPE = 'application/json;charset=UTF-8'

/**
 * Answers on a socket that Node handed over, because the bytes are no request for a handler: not HTTP, or CONNECT. Then
 * ends the connection, even if the client keeps its own side open, because no timeout watches it.
 *
 * @param socket one that can still be written to
 * @param type of the body, by default JSON
 * @param more further header lines, each with its line end
 */
export function answerBare(socket: Duplex, status: number, body: string, { type = JSON_TYPE, more = '' } = {}): void {
  const head = `HTTP/1.1 ${status} Refused\r\ncontent-type: ${type}\r\nconnection: close\r\n${more}`
  // Node has taken its own listener away, and the client may go at any time.
  socket.on('error', () => undefined)
  socket.end(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`, () => socket.destroy())
}

/**
 * Answers a request that is refused for its head, and ends the connection, whose further bytes are ambiguous.
 *
 * @param type of the body: JSON unless another is given
 */
export function answerAndClose(response: ServerResponse, status: number, body: string, type = JSON_TYPE): void {
  const length = Buffer.byteLength(body)
  response.writeHead(status, { 'content-type': type, 'content-length': length, connection: 'close' }).end(body)
}

/** The header of a 405 where no method would do. */
export const ALLOW_NOTHING = 'allow: \r\n'
