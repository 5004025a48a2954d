import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { linger } from './linger.ts'

export const JSON_TYPE = 'application/json;charset=UTF-8'

/**
 * Writes an answer to a socket that Node passes to the server without a request for a handler: after malformed HTTP, or
 * for CONNECT. Then closes the connection, even if the client keeps its side open, because no timeout applies to such a
 * connection.
 *
 * @param socket a writable socket
 * @param type content type of the body, by default JSON
 * @param headerLines further header lines, each with its line end
 */
export function answerAndCloseSocket(
  socket: Duplex,
  status: number,
  body: string,
  { type = JSON_TYPE, headerLines = '' } = {},
): void {
  const head = `HTTP/1.1 ${status} Refused\r\ncontent-type: ${type}\r\nconnection: close\r\n${headerLines}`
  // Node has removed its own error listener, and the client may disconnect at any time.
  socket.on('error', () => undefined)
  socket.write(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  linger(socket)
}

/**
 * Answers a request with an ambiguous head, and closes the connection, because a proxy could interpret the bytes after
 * this head differently.
 *
 * @param type content type of the body, by default JSON
 */
export function answerAndClose(response: ServerResponse, status: number, body: string, type = JSON_TYPE): void {
  const length = Buffer.byteLength(body)
  response.writeHead(status, { 'content-type': type, 'content-length': length, connection: 'close' }).end(body)
}

/** Header line of a 405 for a request target that supports no method. */
export const ALLOW_NO_METHOD = 'allow: \r\n'
