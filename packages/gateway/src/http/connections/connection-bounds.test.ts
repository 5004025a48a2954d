import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import { answerBare } from '../bare-answer.ts'
import { type ConnectionBounds, createConnectionBounds, type Owner } from './connection-bounds.ts'

const world = { nowMs: 0, now: () => world.nowMs, later: (work: () => void) => void setImmediate(work) }
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

interface Listening {
  readonly connections: ConnectionBounds
  readonly ended: readonly string[]
  /** The server's side of each connection. */
  readonly accepted: readonly Socket[]
  readonly port: number
}

/** Something that listens behind the bounds, with a handler of the test. */
async function listening(handlerOf: (connections: ConnectionBounds) => RequestListener): Promise<Listening> {
  const ended: string[] = []
  const connections = createConnectionBounds(world, (reason) => ended.push(reason))
  const refuse: RequestListener = (_request, response) =>
    void response.writeHead(400, { connection: 'close' }).end('no')
  const server = createServer(connections.bound(handlerOf(connections), refuse))
  server.on('clientError', (_error, socket) => connections.afterAnswers(socket, () => answerBare(socket, 400, 'bad')))
  connections.watch(server)
  servers.push(server)
  const accepted: Socket[] = []
  server.on('connection', (socket) => accepted.push(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return { connections, ended, accepted, port: typeof address === 'object' && address ? address.port : 0 }
}

/** A busy machine may take its time. */
const soon = <T>(see: () => T) => expect.poll(see, { timeout: 60_000 })

const requestOf = (path: string) => `GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`
const inOrder = (count: number) => Array.from({ length: count }, (_, number) => requestOf(`/${number}`)).join('')

async function client(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** The bodies of the form `<path>` that a client receives, until there are `count` or the connection ends. */
async function bodies(socket: Socket, count: number): Promise<readonly string[]> {
  let text = ''
  const found = () => Array.from(text.matchAll(/<([^>]*)>/g), ([, body = '']) => body)
  await new Promise<void>((resolve) => {
    socket.on('data', (data) => {
      text += String(data)
      if (found().length >= count) resolve()
    })
    socket.once('close', () => resolve())
  })
  return found()
}

test('of one connection a bounded number of requests is worked on; all are answered, in their order', async () => {
  const open = new Map<string, ServerResponse>()
  let most = 0
  const { port, ended } = await listening(() => (request, response) => {
    const { url = '' } = request
    open.set(url, response)
    response.once('close', () => open.delete(url))
    most = Math.max(most, open.size)
    setImmediate(() => response.end(`<${url}>`))
  })
  const socket = await client(port)
  socket.write(inOrder(1_000))
  expect(await bodies(socket, 1_000)).toEqual(Array.from({ length: 1_000 }, (_, number) => `/${number}`))
  expect(most).toBe(limits.unansweredRequestsMax)
  expect(ended).toEqual([])
})

test('a connection at its bound is not read', async () => {
  const held: (() => void)[] = []
  const { port } = await listening(() => (request, response) => {
    held.push(() => response.end(`<${request.url}>`))
  })
  const socket = await client(port)
  socket.write(inOrder(limits.unansweredRequestsMax))
  await soon(() => held.length).toBe(limits.unansweredRequestsMax)
  // Far more than the buffers of the operating system hold.
  const chunk = Buffer.alloc(1024 * 1024, requestOf('/more'))
  for (let sent = 0; sent < 16; sent += 1) socket.write(chunk)
  const other = await client(port)
  other.write(requestOf('/other'))
  await soon(() => held.length).toBe(limits.unansweredRequestsMax + 1)
  expect(socket.writableLength).toBeGreaterThan(0)
})

test('requests that were sent ahead have a bound over all connections', async () => {
  const { port, ended } = await listening(() => () => undefined)
  const ahead = 'GET / HTTP/1.1\r\nHost:x\r\n\r\n'
  const ofEach = Math.floor((60 * 1024) / ahead.length)
  expect(ofEach).toBeGreaterThan(limits.unansweredRequestsMax)
  const count = Math.ceil(limits.pipelinedRequestsMax / (ofEach - limits.unansweredRequestsMax)) + 1
  for (let opened = 0; opened < count; opened += 1) (await client(port)).write(ahead.repeat(ofEach))
  await soon(() => ended).toContain('crowded')
})

test('a connection whose output stands still is ended, one that is slow is not', async () => {
  const { port, ended, connections, accepted } = await listening(() => (_request, response) => {
    response.write(Buffer.alloc(24 * 1024 * 1024))
  })
  const [still, slow] = [await client(port), await client(port)]
  for (const socket of [still, slow]) {
    socket.pause()
    socket.write(requestOf('/'))
  }
  await soon(() => accepted.filter(({ writableLength }) => writableLength > 0).length).toBe(2)
  connections.sweep()
  world.nowMs += limits.outputStalledMs - 1
  connections.sweep()
  expect(ended).toEqual([])
  // A new answer behind what is stuck is no movement.
  still.write(requestOf('/'))
  slow.resume()
  await soon(() => accepted[1]?.writableLength).toBe(0)
  world.nowMs += 1
  connections.sweep()
  expect(ended).toEqual(['stalled'])
  expect(accepted.map(({ destroyed }) => destroyed)).toEqual([true, false])
})

/** A server whose answers of a megabyte count for the owner that the path names. */
const owned = (owners: Readonly<Record<string, Owner>>) =>
  listening((connections) => (request, response) => {
    const body = Buffer.alloc(1024 * 1024)
    connections.charge(response, body.length, owners[request.url ?? ''])
    response.end(body)
  })

/** Opens connections that ask once and read nothing, one after the other. */
async function unread(port: number, path: string, count: number): Promise<void> {
  for (let opened = 0; opened < count; opened += 1) {
    const socket = await client(port)
    socket.pause()
    socket.write(requestOf(path))
    // Small buffers of the client leave nearly all of it with the server.
    socket.write(requestOf(path).repeat(limits.unansweredRequestsMax - 1))
  }
}

test('unsent bytes of a merchant are bounded; another one is answered', async () => {
  const owners = { '/a': { unsentBytes: 0 }, '/b': { unsentBytes: 0 } }
  const { port, ended } = await owned(owners)
  await unread(port, '/a', 40)
  await soon(() => ended.length).toBeGreaterThan(0)
  expect(owners['/a'].unsentBytes).toBeGreaterThan(0)
  expect(owners['/a'].unsentBytes).toBeLessThanOrEqual(limits.merchantUnsentBytesMax)
  const socket = await client(port)
  socket.write(requestOf('/b'))
  let received = 0
  socket.on('data', ({ length }: Buffer) => (received += length))
  await soon(() => received).toBeGreaterThan(1024 * 1024)
  await soon(() => owners['/b'].unsentBytes).toBe(0)
  expect(ended.every((reason) => reason === 'crowded')).toBe(true)
})

test('a small answer makes no room for large ones of the same merchant', async () => {
  const owners = { '/a': { unsentBytes: 0 } }
  const { connections, port, accepted } = await listening((all) => (request, response) => {
    const isSmall = request.url === '/small'
    all.charge(response, isSmall ? 100 : 1024 * 1024, owners['/a'])
    if (!isSmall) response.write(Buffer.alloc(1024 * 1024))
  })
  const small = await client(port)
  small.write(requestOf('/small'))
  await soon(() => owners['/a'].unsentBytes).toBe(100)
  world.nowMs += 1_000
  connections.sweep()
  await unread(port, '/a', 40)
  await soon(() => accepted.filter(({ destroyed }) => destroyed).length).toBeGreaterThan(0)
  expect(accepted[0]?.destroyed).toBe(false)
})

test('unsent bytes of all have a bound, too; the connection with the most ends', async () => {
  const owners = Object.fromEntries(
    ['/a', '/b', '/c', '/d', '/e', '/f'].map((path) => [path, { unsentBytes: 0 }] as const),
  )
  const { port } = await owned(owners)
  for (const path of Object.keys(owners)) await unread(port, path, 24)
  const bytes = () => Object.values(owners).reduce((sum, { unsentBytes }) => sum + unsentBytes, 0)
  await soon(bytes).toBeGreaterThan(limits.unsentBytesMax / 2)
  expect(bytes()).toBeLessThanOrEqual(limits.unsentBytesMax)
})

test('the charge ends when an answer has left, or its connection ends', async () => {
  const owners = { '/a': { unsentBytes: 0 } }
  const { port } = await owned(owners)
  await unread(port, '/a', 3)
  await soon(() => owners['/a'].unsentBytes).toBeGreaterThan(0)
  for (const socket of sockets) socket.destroy()
  await soon(() => owners['/a'].unsentBytes).toBe(0)
})

test('bytes that are no request are answered after the requests before them', async () => {
  const waiting: (() => void)[] = []
  const { port } = await listening(() => (request, response) => {
    waiting.push(() => response.end(`<${request.url}>`))
  })
  const socket = await client(port)
  socket.write(`${requestOf('/first')}${requestOf('/second')}nonsense\r\n\r\n`)
  await soon(() => waiting.length).toBe(2)
  let text = ''
  socket.on('data', (data) => (text += String(data)))
  for (const answer of waiting) answer()
  await once(socket, 'close')
  expect(text.match(/<[^>]*>|HTTP\/1\.1 400/g)).toEqual(['</first>', '</second>', 'HTTP/1.1 400'])
})

test('a request whose body never comes whole does not hold back the word that it is too late', async () => {
  const { port } = await listening(() => () => undefined)
  const socket = await client(port)
  socket.write('POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n')
  expect(String(await socket.toArray())).toMatch(/^HTTP\/1\.1 400 /)
})

/** Heads that a proxy in front may read otherwise than Node does. */
const ambiguous: readonly (readonly [what: string, head: string])[] = [
  ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b'],
  ['the same host twice', 'GET / HTTP/1.1\r\nHost: a\r\nhost: a'],
  ['two hosts in one line', 'GET / HTTP/1.1\r\nHost: a, b'],
  ['chunks in HTTP/1.0', 'POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked'],
  ['chunks beside a length', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3'],
  ['a length beside chunks', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked'],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3'],
  ['a list of lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3, 3'],
  ['a signed length', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +3'],
  ['another coding', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked'],
  ['chunks twice', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked'],
  ['a coding like chunked', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked'],
  ['a folded line', 'GET / HTTP/1.1\r\nHost: a\r\nX-Long: b\r\n c'],
  ['a folded coding', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n chunked'],
  ['a blank before the colon', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length : 3'],
  ['another version', 'GET / HTTP/2.0\r\nHost: a'],
]

test.each(ambiguous)('%s: 400, and nothing behind it is read', async (_what, head) => {
  const served: (string | undefined)[] = []
  const { port } = await listening(() => (request, response) => {
    served.push(request.url)
    response.end(`<${request.url}>`)
  })
  const socket = await client(port)
  socket.write(`${requestOf('/before')}${head}\r\n\r\n0\r\n\r\n${requestOf('/behind')}`)
  const text = String(await socket.toArray())
  expect(text.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
  expect(served).toEqual(['/before'])
})
