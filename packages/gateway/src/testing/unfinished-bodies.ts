import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect } from 'vitest'
import { limits } from '../limits.ts'

/**
 * Sends requests with bodies of the maximum length, each without its last byte, and resolves when the server has read
 * them. Before that, the test must not send another request: its body would count towards the limit of bytes of bodies
 * that are being read, so that one of the unfinished bodies could be refused.
 *
 * @param server listens on 127.0.0.1
 * @param headers lines without Content-Length, each with its line break
 * @returns a function that closes the connections, and resolves when the server has closed them
 */
export async function sendUnfinishedBodies(
  server: Server,
  headers: string,
  count: number,
): Promise<() => Promise<unknown>> {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const head = `POST /v1/payments HTTP/1.1\r\n${headers}Content-Length: ${limits.bodyBytesMax}\r\n\r\n`
  const request = head + 'x'.repeat(limits.bodyBytesMax - 1)
  const accepted: Socket[] = []
  const accept = (socket: Socket) => void accepted.push(socket)
  server.on('connection', accept)
  const sent = Array.from({ length: count }, () => {
    const socket = connect(port, '127.0.0.1')
    socket.write(request)
    return socket
  })
  const bytesRead = () => accepted.map((socket) => socket.bytesRead)
  await expect.poll(bytesRead).toEqual(Array.from({ length: count }, () => request.length))
  server.off('connection', accept)
  return () => {
    const closed = accepted.map((socket) => new Promise((resolve) => void socket.once('close', resolve)))
    for (const socket of sent) socket.destroy()
    return Promise.all(closed)
  }
}
