import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { countReachable } from '@tollgate/connectors/testing'
import { afterEach, expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import { answerAndCloseSocket } from '../answer-and-close.ts'
import { type ConnectionBounds, createConnectionBounds, type Owner } from './connection-bounds.ts'

const eventLoop = { nowMs: 0, now: () => eventLoop.nowMs, later: (work: () => void) => void setImmediate(work) }
const sockets: Socket[] = []
const servers: Server[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
})

interface TestServer {
  readonly connections: ConnectionBounds
  /** The reason of each connection that was closed early. */
  readonly ended: readonly string[]
  /** The server's side of each connection. */
  readonly accepted: readonly Socket[]
  readonly port: number
}

/** Starts a server with bounds and with a handler of the test. */
async function startServer(handlerOf: (connections: ConnectionBounds) => RequestListener): Promise<TestServer> {
  const ended: string[] = []
  const connections = createConnectionBounds(eventLoop, (reason) => ended.push(reason))
  const refuse: RequestListener = (_request, response) =>
    void response.writeHead(400, { connection: 'close' }).end('no')
  const server = createServer(connections.bound(handlerOf(connections), refuse))
  server.on('clientError', (_error, socket) =>
    connections.afterAnswers(socket, () => answerAndCloseSocket(socket, 400, 'bad')),
  )
  connections.track(server)
  servers.push(server)
  const accepted: Socket[] = []
  server.on('connection', (socket) => accepted.push(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return { connections, ended, accepted, port: typeof address === 'object' && address ? address.port : 0 }
}

/** Polls with a timeout that also suits a busy machine. */
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 })

const requestOf = (path: string) => `GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`
const pipelined = (count: number) => Array.from({ length: count }, (_, number) => requestOf(`/${number}`)).join('')

async function connectClient(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** Reads bodies of the form `<path>`, until there are `count` or the connection ends. */
async function readBodies(socket: Socket, count: number): Promise<readonly string[]> {
  let text = ''
  const received = () => Array.from(text.matchAll(/<([^>]*)>/g), ([, body = '']) => body)
  await new Promise<void>((resolve) => {
    socket.on('data', (data) => {
      text += String(data)
      if (received().length >= count) resolve()
    })
    socket.once('close', () => resolve())
  })
  return received()
}

test('requests of one connection are in progress up to a bound, and all are answered in order', async () => {
  const openResponses = new Map<string, ServerResponse>()
  let openMax = 0
  const { port, ended } = await startServer(() => (request, response) => {
    const { url = '' } = request
    openResponses.set(url, response)
    response.once('close', () => openResponses.delete(url))
    openMax = Math.max(openMax, openResponses.size)
    setImmediate(() => response.end(`<${url}>`))
  })
  const socket = await connectClient(port)
  socket.write(pipelined(1_000))
  expect(await readBodies(socket, 1_000)).toEqual(Array.from({ length: 1_000 }, (_, number) => `/${number}`))
  expect(openMax).toBe(limits.unansweredRequestsMax)
  expect(ended).toEqual([])
})

test('a connection at its bound is not read', async () => {
  const pendingAnswers: (() => void)[] = []
  const { port } = await startServer(() => (request, response) => {
    pendingAnswers.push(() => response.end(`<${request.url}>`))
  })
  const socket = await connectClient(port)
  socket.write(pipelined(limits.unansweredRequestsMax))
  await eventually(() => pendingAnswers.length).toBe(limits.unansweredRequestsMax)
  // 16 chunks of a megabyte are far more than the buffers of the operating system hold.
  const chunk = Buffer.alloc(1024 * 1024, requestOf('/more'))
  for (let sent = 0; sent < 16; sent += 1) socket.write(chunk)
  const otherClient = await connectClient(port)
  otherClient.write(requestOf('/other'))
  await eventually(() => pendingAnswers.length).toBe(limits.unansweredRequestsMax + 1)
  expect(socket.writableLength).toBeGreaterThan(0)
})

test('a connection is closed if the pipelined requests of all connections exceed their bound', async () => {
  const { port, ended } = await startServer(() => () => undefined)
  const requestText = 'GET / HTTP/1.1\r\nHost:x\r\n\r\n'
  const requestsPerConnection = Math.floor((60 * 1024) / requestText.length)
  expect(requestsPerConnection).toBeGreaterThan(limits.unansweredRequestsMax)
  const count = Math.ceil(limits.pipelinedRequestsMax / (requestsPerConnection - limits.unansweredRequestsMax)) + 1
  for (let opened = 0; opened < count; opened += 1)
    (await connectClient(port)).write(requestText.repeat(requestsPerConnection))
  await eventually(() => ended).toContain('crowded')
})

test('a connection with stalled output is closed, but a slow connection is not', async () => {
  const { port, ended, connections, accepted } = await startServer(() => (_request, response) => {
    response.write(Buffer.alloc(24 * 1024 * 1024))
  })
  const [stalled, slow] = [await connectClient(port), await connectClient(port)]
  for (const socket of [stalled, slow]) {
    socket.pause()
    socket.write(requestOf('/'))
  }
  await eventually(() => accepted.filter(({ writableLength }) => writableLength > 0).length).toBe(2)
  connections.closeStalled()
  eventLoop.nowMs += limits.outputStalledMs - 1
  connections.closeStalled()
  expect(ended).toEqual([])
  // A new answer behind stalled output is no progress.
  stalled.write(requestOf('/'))
  slow.resume()
  await eventually(() => accepted[1]?.writableLength).toBe(0)
  eventLoop.nowMs += 1
  connections.closeStalled()
  expect(ended).toEqual(['stalled'])
  expect(accepted.map(({ destroyed }) => destroyed)).toEqual([true, false])
})

/** Starts a server that charges its answers of a megabyte to the owner of the path. */
const startServerWithOwners = (owners: Readonly<Record<string, Owner>>) =>
  startServer((connections) => (request, response) => {
    const body = Buffer.alloc(1024 * 1024)
    connections.charge(response, body.length, owners[request.url ?? ''])
    response.end(body)
  })

/** Opens connections one after the other. Each sends requests and reads no answer. */
async function openUnread(port: number, path: string, count: number): Promise<void> {
  for (let opened = 0; opened < count; opened += 1) {
    const socket = await connectClient(port)
    socket.pause()
    socket.write(requestOf(path))
    // The operating system may buffer the first answers, whose bytes then count as sent; later ones stay unsent.
    socket.write(requestOf(path).repeat(limits.unansweredRequestsMax - 1))
  }
}

test('unsent bytes of a merchant are bounded, and another merchant is answered', async () => {
  const owners = { '/a': { unsentBytes: 0 }, '/b': { unsentBytes: 0 } }
  const { port, ended } = await startServerWithOwners(owners)
  await openUnread(port, '/a', 40)
  await eventually(() => ended.length).toBeGreaterThan(0)
  expect(owners['/a'].unsentBytes).toBeGreaterThan(0)
  expect(owners['/a'].unsentBytes).toBeLessThanOrEqual(limits.merchantUnsentBytesMax)
  const socket = await connectClient(port)
  socket.write(requestOf('/b'))
  let received = 0
  socket.on('data', ({ length }: Buffer) => (received += length))
  await eventually(() => received).toBeGreaterThan(1024 * 1024)
  await eventually(() => owners['/b'].unsentBytes).toBe(0)
  expect(ended.every((reason) => reason === 'crowded')).toBe(true)
})

test('a connection with a small answer is not closed because of large answers of the same merchant', async () => {
  const owners = { '/a': { unsentBytes: 0 } }
  const { connections, port, accepted } = await startServer((bounds) => (request, response) => {
    const isSmall = request.url === '/small'
    bounds.charge(response, isSmall ? 100 : 1024 * 1024, owners['/a'])
    if (!isSmall) response.write(Buffer.alloc(1024 * 1024))
  })
  const small = await connectClient(port)
  small.write(requestOf('/small'))
  await eventually(() => owners['/a'].unsentBytes).toBe(100)
  eventLoop.nowMs += 1_000
  connections.closeStalled()
  await openUnread(port, '/a', 40)
  await eventually(() => accepted.filter(({ destroyed }) => destroyed).length).toBeGreaterThan(0)
  expect(accepted[0]?.destroyed).toBe(false)
})

test('unsent bytes of all merchants together are bounded', async () => {
  const owners = Object.fromEntries(
    ['/a', '/b', '/c', '/d', '/e', '/f'].map((path) => [path, { unsentBytes: 0 }] as const),
  )
  const { port } = await startServerWithOwners(owners)
  for (const path of Object.keys(owners)) await openUnread(port, path, 24)
  const bytes = () => Object.values(owners).reduce((sum, { unsentBytes }) => sum + unsentBytes, 0)
  await eventually(bytes).toBeGreaterThan(limits.unsentBytesMax / 2)
  expect(bytes()).toBeLessThanOrEqual(limits.unsentBytesMax)
})

test('charges are released when their connections are closed', async () => {
  const owners = { '/a': { unsentBytes: 0 } }
  const { port } = await startServerWithOwners(owners)
  await openUnread(port, '/a', 3)
  await eventually(() => owners['/a'].unsentBytes).toBeGreaterThan(0)
  for (const socket of sockets) socket.destroy()
  await eventually(() => owners['/a'].unsentBytes).toBe(0)
})

test('an open connection keeps no request after its answer', async () => {
  const served: WeakRef<object>[] = []
  const { port } = await startServer(() => (request, response) => {
    served.push(new WeakRef(request), new WeakRef(response))
    response.end(`<${request.url}>`)
  })
  const socket = await connectClient(port)
  socket.write(pipelined(2))
  await readBodies(socket, 2)
  await expect.poll(() => countReachable(served), { timeout: 60_000 }).toBe(0)
  expect(socket.closed).toBe(false)
  expect(served).toHaveLength(4)
})

test('malformed bytes are answered after the requests before them', async () => {
  const pendingAnswers: (() => void)[] = []
  const { port } = await startServer(() => (request, response) => {
    pendingAnswers.push(() => response.end(`<${request.url}>`))
  })
  const socket = await connectClient(port)
  socket.write(`${requestOf('/first')}${requestOf('/second')}nonsense\r\n\r\n`)
  await eventually(() => pendingAnswers.length).toBe(2)
  let text = ''
  socket.on('data', (data) => (text += String(data)))
  for (const answer of pendingAnswers) answer()
  await once(socket, 'close')
  expect(text.match(/<[^>]*>|HTTP\/1\.1 400/g)).toEqual(['</first>', '</second>', 'HTTP/1.1 400'])
})

test('malformed chunks are answered with 400 although their request has no answer yet', async () => {
  const { port } = await startServer(() => () => undefined)
  const socket = await connectClient(port)
  socket.write('POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n')
  expect(String(await socket.toArray())).toMatch(/^HTTP\/1\.1 400 /)
})

/** Heads that a proxy may interpret differently from Node. */
const ambiguous: readonly (readonly [name: string, head: string])[] = [
  ['two Host headers', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b'],
  ['two Host headers with the same value', 'GET / HTTP/1.1\r\nHost: a\r\nhost: a'],
  ['two values in a Host header', 'GET / HTTP/1.1\r\nHost: a, b'],
  ['Transfer-Encoding in HTTP/1.0', 'POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked'],
  [
    'Transfer-Encoding before Content-Length',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3',
  ],
  [
    'Content-Length before Transfer-Encoding',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked',
  ],
  ['two Content-Length headers', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3'],
  ['two values in a Content-Length header', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3, 3'],
  ['a signed Content-Length', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +3'],
  ['an additional transfer coding', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked'],
  [
    'two Transfer-Encoding headers',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked',
  ],
  ['an unknown transfer coding', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked'],
  ['a folded line', 'GET / HTTP/1.1\r\nHost: a\r\nX-Long: b\r\n c'],
  ['a folded Transfer-Encoding', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n chunked'],
  ['a blank before the colon', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length : 3'],
  ['another HTTP version', 'GET / HTTP/2.0\r\nHost: a'],
]

test.each(ambiguous)('%s is answered with 400, and a later request is not served', async (_name, head) => {
  const served: (string | undefined)[] = []
  const { port } = await startServer(() => (request, response) => {
    served.push(request.url)
    response.end(`<${request.url}>`)
  })
  const socket = await connectClient(port)
  socket.write(`${requestOf('/before')}${head}\r\n\r\n0\r\n\r\n${requestOf('/behind')}`)
  const text = String(await socket.toArray())
  expect(text.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
  expect(served).toEqual(['/before'])
})
