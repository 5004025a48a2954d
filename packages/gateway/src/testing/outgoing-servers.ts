import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { afterEach } from 'vitest'
import type { OutgoingRequest } from '@tollgate/operations'
import type { TestCertificate } from './certificate.ts'

/** A server of a test, on a port of its own of 127.0.0.1, that counts. */
export interface Counting {
  readonly port: number
  connections: number
  requests: number
  readonly sockets: Set<Socket>
}

const open: { readonly server: Server; readonly counting: Counting }[] = []

afterEach(() => {
  for (const { server, counting } of open.splice(0)) {
    server.close()
    for (const socket of counting.sockets) socket.destroy()
  }
})

/** Errors of the client's side do not matter here. */
const quiet = (socket: Socket) => socket.on('error', () => undefined)

async function listen(server: Server): Promise<Counting> {
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('a listening server has a port')
  const { port } = address
  const counting: Counting = { port, connections: 0, requests: 0, sockets: new Set() }
  open.push({ server, counting })
  server.on('connection', (socket: Socket) => {
    counting.connections++
    counting.sockets.add(quiet(socket))
    socket.on('close', () => counting.sockets.delete(socket))
  })
  server.on('request', () => counting.requests++)
  return counting
}

export const httpServer = (listener: RequestListener): Promise<Counting> => listen(createHttpServer(listener))

export const httpsServer = (certificate: TestCertificate, listener: RequestListener): Promise<Counting> =>
  listen(createHttpsServer({ key: certificate.key, cert: certificate.cert }, listener))

/** @param serve handler of each connection */
export const tcpServer = (serve: (socket: Socket) => void): Promise<Counting> => listen(createTcpServer(serve))

export const post = ({ port }: Counting, body = '{}'): OutgoingRequest => ({
  method: 'POST',
  url: `http://127.0.0.1:${port}/hook`,
  body,
})

/** A server that delays its answers until the test releases them. */
export async function holding() {
  const held: (() => void)[] = []
  const server = await httpServer((_, answer) => held.push(() => answer.end()))
  const arrived = async (count: number) => {
    while (held.length < count) await new Promise((resolve) => setImmediate(resolve))
  }
  return { server, arrived, release: () => held.splice(0).forEach((answer) => answer()) }
}
