import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { afterEach } from 'vitest'
import type { OutgoingRequest } from '@tollgate/operations'
import type { TestCertificate } from './certificate.ts'

/** A test server on its own port of 127.0.0.1, with counts of connections and requests. */
export interface CountingServer {
  readonly port: number
  connections: number
  requests: number
  readonly sockets: Set<Socket>
}

const openServers: { readonly server: Server; readonly counting: CountingServer }[] = []

afterEach(() => {
  for (const { server, counting } of openServers.splice(0)) {
    server.close()
    for (const socket of counting.sockets) socket.destroy()
  }
})

/** Ignores errors of a connection, which the client may abort. */
const ignoreErrors = (socket: Socket) => socket.on('error', () => undefined)

async function listen(server: Server): Promise<CountingServer> {
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the listening server has no port')
  const { port } = address
  const counting: CountingServer = { port, connections: 0, requests: 0, sockets: new Set() }
  openServers.push({ server, counting })
  server.on('connection', (socket: Socket) => {
    counting.connections++
    counting.sockets.add(ignoreErrors(socket))
    socket.on('close', () => counting.sockets.delete(socket))
  })
  server.on('request', () => counting.requests++)
  return counting
}

export const startHttpServer = (listener: RequestListener): Promise<CountingServer> =>
  listen(createHttpServer(listener))

export const startHttpsServer = (certificate: TestCertificate, listener: RequestListener): Promise<CountingServer> =>
  listen(createHttpsServer({ key: certificate.key, cert: certificate.cert }, listener))

/** Starts a server of TCP connections. @param handler called for each connection */
export const startTcpServer = (handler: (socket: Socket) => void): Promise<CountingServer> =>
  listen(createTcpServer(handler))

export const postRequest = ({ port }: CountingServer, body = '{}'): OutgoingRequest => ({
  method: 'POST',
  url: `http://127.0.0.1:${port}/hook`,
  body,
})

/** Starts a server that delays its answers until the test releases them. */
export async function startDelayedServer() {
  const delayed: (() => void)[] = []
  const server = await startHttpServer((_, answer) => delayed.push(() => answer.end()))
  const requestsArrived = async (count: number) => {
    while (delayed.length < count) await new Promise((resolve) => setImmediate(resolve))
  }
  return { server, requestsArrived, release: () => delayed.splice(0).forEach((answer) => answer()) }
}
