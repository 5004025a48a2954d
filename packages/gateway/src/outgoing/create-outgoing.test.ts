import { getEventListeners } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { selfSigned } from '../testing/certificate.ts'
import { type Counting, httpServer, httpsServer, tcpServer } from '../testing/outgoing-servers.ts'
import { createOutgoing, type OutgoingOptions } from './create-outgoing.ts'
import type { Outgoing, OutgoingRequest } from '@tollgate/operations'

const opened: Outgoing[] = []
afterEach(async () => {
  for (const outgoing of opened.splice(0)) await outgoing.close()
})

function open(options: Partial<OutgoingOptions> = {}): Outgoing {
  const outgoing = createOutgoing({ environment: 'test', ...options })
  opened.push(outgoing)
  return outgoing
}

const post = ({ port }: Counting, body = '{}'): OutgoingRequest => ({
  method: 'POST',
  url: `http://127.0.0.1:${port}/hook`,
  body,
})

const bounded = (bounds: OutgoingOptions['bounds']) => open({ bounds: { ...bounds } })

describe('what is sent', () => {
  it('method, path, query, headers and body; without the fragment', async () => {
    let seen: unknown
    const server = await httpServer((request, answer) => {
      const { method, url, headers } = request
      let body = ''
      request.setEncoding('utf8').on('data', (text) => (body += text))
      request.on('end', () => {
        seen = { method, url, headers, body }
        answer.end()
      })
    })
    await open().send({
      method: 'POST',
      url: `http://127.0.0.1:${server.port}/a%20b/ü?c=d&e#f`,
      headers: { 'content-type': 'application/json', 'webhook-id': '1' },
      body: '{"ü":1}',
    })
    expect(seen).toEqual({
      method: 'POST',
      url: '/a%20b/%C3%BC?c=d&e',
      headers: {
        host: `127.0.0.1:${server.port}`,
        connection: 'keep-alive',
        'user-agent': 'Tollgate',
        'content-type': 'application/json',
        'webhook-id': '1',
        'content-length': '8',
      },
      body: '{"ü":1}',
    })
  })

  it('a GET without a body', async () => {
    let seen: unknown
    const server = await httpServer(({ method, headers }, answer) => {
      seen = { method, length: headers['content-length'], coding: headers['transfer-encoding'] }
      answer.end('yes')
    })
    const reply = await open().send({ method: 'GET', url: `http://127.0.0.1:${server.port}/` })
    expect(reply).toMatchObject({ kind: 'answered', status: 200, body: 'yes' })
    expect(seen).toEqual({ method: 'GET', length: undefined, coding: undefined })
  })

  it('a body of at most the bound, counted in bytes', async () => {
    const server = await httpServer((_, answer) => answer.end())
    const outgoing = bounded({ bodyBytesMax: 4 })
    expect(await outgoing.send(post(server, 'üü'))).toMatchObject({ kind: 'answered' })
    expect(await outgoing.send(post(server, 'üü.'))).toMatchObject({
      kind: 'failed',
      reason: 'the body is longer than 4 bytes',
    })
    expect(server.requests).toBe(1)
  })

  it('no body beyond the bound of all that are under way, until one of them has ended', async () => {
    let answers: (() => void)[] = []
    const server = await httpServer((_, answer) => void answers.push(() => answer.end()))
    const outgoing = bounded({ bodiesBytesMax: 5 })
    const first = outgoing.send(post(server, 'four'))
    await expect.poll(() => answers.length).toBe(1)
    expect(await outgoing.send(post(server, 'ab'))).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('bodies of other requests'),
    })
    const second = outgoing.send(post(server, 'a'))
    await expect.poll(() => answers.length).toBe(2)
    for (const answer of answers) answer()
    expect([await first, await second]).toMatchObject([{ kind: 'answered' }, { kind: 'answered' }])
    answers = []
    const third = outgoing.send(post(server, 'after'))
    await expect.poll(() => answers.length).toBe(1)
    answers[0]?.()
    expect(await third).toMatchObject({ kind: 'answered' })
  })

  it('no header that would be two', async () => {
    const server = await httpServer((_, answer) => answer.end())
    const request = { ...post(server), headers: { 'webhook-id': '1\r\nhost: shop.example' } }
    expect(await open().send(request)).toMatchObject({
      kind: 'failed',
      reason: 'the request cannot be written as HTTP',
    })
    expect(server.requests).toBe(0)
  })

  it('nothing by way of a proxy that the environment names', async () => {
    const proxy = await httpServer((_, answer) => answer.end())
    const server = await httpServer((_, answer) => answer.end())
    const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'NODE_USE_ENV_PROXY']
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`
    const reply = await open().send(post(server))
    for (const name of names) delete process.env[name]
    expect(reply).toMatchObject({ kind: 'answered' })
    expect(proxy.connections).toBe(0)
  })
})

describe('answers', () => {
  it.each([200, 201, 204, 304, 400, 401, 404, 410, 429, 500, 503])('%i', async (status) => {
    const server = await httpServer((_, answer) => answer.writeHead(status).end())
    const reply = await open().send(post(server))
    expect(reply).toMatchObject({ kind: 'answered', status, body: '', retryAfterMs: undefined })
    expect(reply.durationMs).toBeGreaterThanOrEqual(0)
  })

  it.each([301, 302, 303, 307, 308])('%i is not followed', async (status) => {
    const other = await httpServer((_, answer) => answer.end())
    const location = `http://127.0.0.1:${other.port}/`
    const server = await httpServer((_, answer) => answer.writeHead(status, { location }).end('there'))
    expect(await open().send(post(server))).toMatchObject({ kind: 'answered', status, body: 'there' })
    expect(other.connections).toBe(0)
    expect(server.requests).toBe(1)
  })

  it('Retry-After, in seconds and as a date by the clock', async () => {
    let text = '7'
    const server = await httpServer((_, answer) => answer.writeHead(503, { 'retry-after': text }).end())
    const outgoing = open({ clock: { now: () => Date.UTC(2026, 0, 1) } })
    expect(await outgoing.send(post(server))).toMatchObject({ status: 503, retryAfterMs: 7_000 })
    text = 'Thu, 01 Jan 2026 00:00:09 GMT'
    expect(await outgoing.send(post(server))).toMatchObject({ status: 503, retryAfterMs: 9_000 })
  })

  it('an interim answer before the answer', async () => {
    const server = await httpServer((_, answer) => {
      answer.writeEarlyHints({ link: '</a>; rel=preload' })
      answer.end('there')
    })
    expect(await open().send(post(server))).toMatchObject({ kind: 'answered', status: 200, body: 'there' })
  })

  it.each([
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nthere'],
    ['HTTP/1.1 without a length', 'HTTP/1.1 200 OK\r\n\r\nthere'],
    ['HTTP/1.1 in chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nth\r\n3\r\nere\r\n0\r\n\r\n'],
  ])('%s', async (_, text) => {
    const server = await tcpServer((socket) => void socket.on('data', () => socket.end(text)))
    expect(await open().send(post(server))).toMatchObject({ kind: 'answered', status: 200, body: 'there' })
  })

  it('of the longest size that is read, whole, and the connection lives on', async () => {
    const server = await httpServer((_, answer) => answer.end('x'.repeat(16 * 1024)))
    const outgoing = open()
    expect(await outgoing.send(post(server))).toMatchObject({ kind: 'answered', body: 'x'.repeat(16 * 1024) })
    await outgoing.send(post(server))
    expect(server.connections).toBe(1)
  })

  it('one byte longer: cut off, and the connection ends', async () => {
    const server = await httpServer((_, answer) => answer.end('x'.repeat(16 * 1024 + 1)))
    const outgoing = open()
    expect(await outgoing.send(post(server))).toMatchObject({ kind: 'answered', body: 'x'.repeat(16 * 1024) })
    await outgoing.send(post(server))
    expect(server.connections).toBe(2)
  })

  it('cut off between characters', async () => {
    const server = await httpServer((_, answer) => answer.end('1234€'))
    expect(await bounded({ answerBytesMax: 6 }).send(post(server))).toMatchObject({ body: '1234' })
    expect(await bounded({ answerBytesMax: 7 }).send(post(server))).toMatchObject({ body: '1234€' })
  })

  it('without end: cut off, and no more of it is taken', async () => {
    let sent = 0
    let ended: () => void
    const end = new Promise<void>((resolve) => (ended = resolve))
    const server = await httpServer((_, answer) => {
      const block = Buffer.alloc(64 * 1024)
      const go = () => {
        while (!answer.destroyed && answer.write(block)) sent += block.length
      }
      answer.on('drain', go).on('close', ended)
      go()
    })
    const reply = await open().send(post(server))
    expect(reply).toMatchObject({ kind: 'answered', status: 200, body: '\0'.repeat(16 * 1024) })
    await end
    expect(sent).toBeLessThan(64 * 1024 * 1024)
  })
})

describe('what goes wrong', () => {
  const serving = (text: string) => tcpServer((socket) => void socket.on('data', () => socket.end(text)))
  const CLOSED = 'the connection was closed before the whole answer had come'
  const NO_HTTP = 'the answer is no HTTP'
  const endless = `HTTP/1.1 103 Early Hints\r\n\r\n`.repeat(9)

  it.each([
    ['garbage', 'garbage\r\n\r\n', NO_HTTP],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', NO_HTTP],
    ['HTTP/2', 'HTTP/2 200\r\n\r\n', NO_HTTP],
    ['half a head', 'HTTP/1.1 200 OK\r\ncontent-', CLOSED],
    ['half a body', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf', CLOSED],
    [
      'two lengths',
      'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx',
      'the answer is not as long as it says',
    ],
    ['a chunk of no size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', NO_HTTP],
    ['long headers', `HTTP/1.1 200 OK\r\na: ${'x'.repeat(20_000)}\r\n\r\n`, 'the headers of the answer are too long'],
    ['many headers', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(9_000)}\r\n`, 'the headers of the answer are too long'],
    ['interim answers', `${endless}HTTP/1.1 200 OK\r\n\r\n`, 'there were answers of status 1xx without end'],
    ['another protocol upon request', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', CLOSED],
    ['nothing', '', CLOSED],
  ])('%s', async (_, text, reason) => {
    const reply = await open().send(post(await serving(text)))
    expect(reply).toMatchObject({ kind: 'failed', reason })
  })

  /** Writes a block again and again until the other side has enough. */
  const flood = (head: string, block: string) => (socket: Socket) => {
    const go = () => {
      while (!socket.destroyed && socket.write(block)) continue
    }
    socket.on('drain', go).write(head)
    go()
  }
  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'

  it.each([
    ['blank lines', '', '\r\n'.repeat(9_000)],
    ['the text of a status', 'HTTP/1.1 200 ', 'x'.repeat(9_000)],
    ['the text of a chunk', `${chunked}1;`, 'x'.repeat(9_000)],
    ['the size of a chunk', chunked, '0'.repeat(9_000)],
    ['interim answers', '', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(99)],
    ['headers', 'HTTP/1.1 200 OK\r\n', 'a: b\r\n'.repeat(9_000)],
    ['the name of a header', 'HTTP/1.1 200 OK\r\n', 'a'.repeat(9_000)],
    ['trailers', `${chunked}0\r\n`, 'a: b\r\n'.repeat(9_000)],
  ])('%s without end', async (_, head, block) => {
    const server = await tcpServer(flood(head, block))
    const reply = await open().send(post(server))
    expect(reply).toMatchObject({ kind: 'failed', reason: expect.stringMatching(/too long|without end|no HTTP/) })
    while (server.sockets.size > 0) await new Promise((resolve) => setImmediate(resolve))
  })

  it('a connection that is closed at once', async () => {
    const server = await tcpServer((socket) => socket.destroy())
    expect(await open().send(post(server))).toMatchObject({ kind: 'failed', reason: CLOSED })
  })

  it('a connection that is refused', async () => {
    const server = await tcpServer(() => undefined)
    const { port } = server
    await new Promise((resolve) => setImmediate(resolve))
    const outgoing = open()
    const reply = await outgoing.send({ method: 'GET', url: `http://127.0.0.1:1/${port}` })
    expect(reply).toMatchObject({ kind: 'failed', reason: 'the connection was refused' })
  })

  it('no answer', async () => {
    const server = await tcpServer(() => undefined)
    const reply = await bounded({ totalTimeoutMs: 50 }).send(post(server))
    expect(reply).toMatchObject({ kind: 'failed', reason: 'no whole answer had come within 0.05 s' })
  })

  it.each(['HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n', 'HTTP/1.1 200 OK\r\n', ''])(
    'an answer that drips after %j',
    async (head) => {
      const server = await tcpServer((socket) => {
        socket.write(head)
        const drip = setInterval(() => socket.write('a'), 5)
        socket.on('close', () => clearInterval(drip))
      })
      const reply = await bounded({ totalTimeoutMs: 100 }).send(post(server))
      expect(reply).toMatchObject({ kind: 'failed' })
    },
  )

  it.each([
    ['ENOTFOUND', 'the name does not resolve'],
    ['ENODATA', 'the name does not resolve'],
    ['ETIMEOUT', 'the name servers gave no answer'],
    ['ESERVFAIL', 'the name servers gave no answer'],
    ['ECONNREFUSED', 'the name servers gave no answer'],
  ])('a look-up that ends in %s', async (code, reason) => {
    const resolve = () => Promise.reject(Object.assign(new Error(`query ${code} shop.example`), { code }))
    const reply = await open({ resolve }).send({ method: 'GET', url: 'https://shop.example/' })
    expect(reply).toMatchObject({ kind: 'failed', reason })
  })

  it('a look-up that finds nothing', async () => {
    const reply = await open({ resolve: async () => [] }).send({ method: 'GET', url: 'https://shop.example/' })
    expect(reply).toMatchObject({ kind: 'failed', reason: 'the name does not resolve' })
  })

  it('a look-up that never ends', async () => {
    const outgoing = open({ resolve: () => new Promise(() => undefined), bounds: { connectTimeoutMs: 50 } })
    const reply = await outgoing.send({ method: 'GET', url: 'https://shop.example/' })
    expect(reply).toMatchObject({ kind: 'failed', reason: 'there was no connection within 0.05 s' })
  })
})

describe('TLS', () => {
  const good = selfSigned(['shop.example'])

  const secure = (authorities: string | undefined) =>
    open({
      resolve: async () => ['127.0.0.1'],
      ...(authorities !== undefined && { authorities }),
    })

  /** Names have no port of their own in the test environment, so that the server's is among those allowed. */
  function named(server: Counting, authorities: string | undefined, host = 'shop.example') {
    const outgoing = createOutgoing({
      environment: 'test',
      ports: { 'https:': [server.port] },
      resolve: async () => ['127.0.0.1'],
      ...(authorities !== undefined && { authorities }),
    })
    opened.push(outgoing)
    return outgoing.send({ method: 'POST', url: `https://${host}:${server.port}/`, body: '{}' })
  }

  it('is with the name, although the connection is with the address', async () => {
    let seen: unknown
    const server = await httpsServer(good, (request, answer) => {
      const servername = 'servername' in request.socket ? request.socket.servername : undefined
      seen = { servername, host: request.headers.host }
      answer.end()
    })
    expect(await named(server, good.cert)).toMatchObject({ kind: 'answered', status: 200 })
    expect(seen).toEqual({ servername: 'shop.example', host: `shop.example:${server.port}` })
  })

  it.each([
    ['self-signed', good, undefined, 'it is self-signed'],
    ['for another name', selfSigned(['other.example']), 'its own', 'it is for another name'],
    ['expired', selfSigned(['shop.example'], [-30, -1]), 'its own', 'it has expired'],
    ['not valid yet', selfSigned(['shop.example'], [1, 30]), 'its own', 'it is not valid yet'],
  ])('a certificate that is %s', async (_, certificate, authority, what) => {
    const server = await httpsServer(certificate, (_request, answer) => answer.end())
    const reply = await named(server, authority && certificate.cert)
    expect(reply).toMatchObject({ kind: 'failed', reason: `the certificate is not valid: ${what}` })
    expect(server.requests).toBe(0)
  })

  it('no variable of the environment lets a bad certificate pass', async () => {
    const server = await httpsServer(good, (_, answer) => answer.end())
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    const reply = await named(server, undefined)
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    expect(reply).toMatchObject({ kind: 'failed' })
    expect(server.requests).toBe(0)
  })

  it('a certificate of a name is none of an address', async () => {
    const server = await httpsServer(good, (_, answer) => answer.end())
    const url = `https://127.0.0.1:${server.port}/`
    const reply = await secure(good.cert).send({ method: 'GET', url })
    expect(reply).toMatchObject({ kind: 'failed', reason: 'the certificate is not valid: it is for another name' })
  })

  it.each([
    ['garbage', (text: string) => text],
    ['plain HTTP', () => 'HTTP/1.1 400 Bad Request\r\n\r\n'],
  ])('%s in its place', async (_, textOf) => {
    const server = await tcpServer(
      (socket) => void socket.on('data', () => socket.write(textOf('garbage '.repeat(99)))),
    )
    const reply = await secure(undefined).send({ method: 'GET', url: `https://127.0.0.1:${server.port}/` })
    expect(reply).toMatchObject({ kind: 'failed', reason: 'the other side speaks no TLS that we take' })
  })

  it('an answer without end', async () => {
    const server = await httpsServer(good, (_, { socket }) => {
      const go = () => {
        while (socket?.writable && socket.write('\r\n'.repeat(9_000))) continue
      }
      socket?.on('drain', go)
      go()
    })
    expect(await named(server, good.cert)).toMatchObject({ kind: 'failed', reason: 'the answer is too long' })
  })

  it('silence in its place', async () => {
    const server = await tcpServer(() => undefined)
    const outgoing = bounded({ connectTimeoutMs: 50 })
    const reply = await outgoing.send({ method: 'GET', url: `https://127.0.0.1:${server.port}/` })
    expect(reply).toMatchObject({ kind: 'failed', reason: 'there was no connection within 0.05 s' })
  })
})

/** A server that holds its answers back until it is told. */
async function holding() {
  const held: (() => void)[] = []
  const server = await httpServer((_, answer) => held.push(() => answer.end()))
  const arrived = async (count: number) => {
    while (held.length < count) await new Promise((resolve) => setImmediate(resolve))
  }
  return { server, arrived, release: () => held.splice(0).forEach((answer) => answer()) }
}

describe('connections', () => {
  it('are used again', async () => {
    const server = await httpServer((_, answer) => answer.end())
    const outgoing = open()
    for (let count = 0; count < 5; count++) await outgoing.send(post(server))
    expect(server.connections).toBe(1)
  })

  it('are not used by two at once', async () => {
    const { server, arrived, release } = await holding()
    const outgoing = open()
    const replies = [outgoing.send(post(server)), outgoing.send(post(server))]
    await arrived(2)
    release()
    await Promise.all(replies)
    expect(server.connections).toBe(2)
  })

  it('are bounded for each origin: the others wait, in order', async () => {
    const { server, arrived, release } = await holding()
    const outgoing = bounded({ originConnectionsMax: 2 })
    const ended: number[] = []
    const replies = [0, 1, 2, 3].map((each) => outgoing.send(post(server)).then(() => ended.push(each)))
    await arrived(2)
    expect(server.requests).toBe(2)
    release()
    await arrived(2)
    release()
    await Promise.all(replies)
    expect(server.connections).toBe(2)
    expect(new Set(ended.slice(2))).toEqual(new Set([2, 3]))
  })

  it('are bounded in all: an idle one makes room', async () => {
    const first = await httpServer((_, answer) => answer.end())
    const second = await httpServer((_, answer) => answer.end())
    const outgoing = bounded({ connectionsMax: 1 })
    for (const server of [first, second, first]) {
      expect(await outgoing.send(post(server))).toMatchObject({ kind: 'answered' })
    }
    expect([first.connections, second.connections]).toEqual([2, 1])
  })

  it('are bounded in all: one in use does not, and what waits for it goes to another origin', async () => {
    const { server, arrived, release } = await holding()
    const other = await httpServer((_, answer) => answer.end())
    const outgoing = bounded({ connectionsMax: 1 })
    const busy = outgoing.send(post(server))
    await arrived(1)
    const waits = outgoing.send(post(other))
    expect(other.connections).toBe(0)
    release()
    expect(await busy).toMatchObject({ kind: 'answered' })
    expect(await waits).toMatchObject({ kind: 'answered' })
  })

  it('a bounded number of requests waits for them', async () => {
    const { server, arrived, release } = await holding()
    const outgoing = bounded({ originConnectionsMax: 1, waitingMax: 1 })
    const replies = [outgoing.send(post(server)), outgoing.send(post(server))]
    expect(await outgoing.send(post(server))).toMatchObject({
      kind: 'failed',
      reason: 'too many requests wait for a connection',
    })
    for (const reply of replies) {
      await arrived(1)
      release()
      expect(await reply).toMatchObject({ kind: 'answered' })
    }
  })

  it('a request that is called off waits no more', async () => {
    const { server, arrived, release } = await holding()
    const outgoing = bounded({ originConnectionsMax: 1 })
    const first = outgoing.send(post(server))
    await arrived(1)
    const aborting = new AbortController()
    const second = outgoing.send({ ...post(server), signal: aborting.signal })
    aborting.abort()
    expect(await second).toMatchObject({ kind: 'failed', reason: 'it was called off' })
    release()
    await first
    const third = outgoing.send(post(server))
    await arrived(1)
    release()
    await third
    expect(server.requests).toBe(2)
  })

  // Undici alone would keep them for four seconds, or as long as the other side says.
  const soon = { timeout: 3_000 }
  it.each(['', 'keep-alive: timeout=600\r\n'])('that are idle end soon, after the header %j', soon, async (header) => {
    const answer = `HTTP/1.1 200 OK\r\n${header}content-length: 0\r\n\r\n`
    const server = await tcpServer((socket) => void socket.on('data', () => socket.write(answer)))
    await bounded({ idleMs: 20 }).send(post(server))
    while (server.sockets.size > 0) await new Promise((resolve) => setImmediate(resolve))
  })

  it('carry any number of answers, each of them within its bound', async () => {
    const server = await httpServer((_, answer) => answer.end('x'.repeat(500)))
    const outgoing = bounded({ answerLineBytesMax: 1_000 })
    for (let count = 0; count < 5; count++) {
      expect(await outgoing.send(post(server))).toMatchObject({ kind: 'answered' })
    }
    expect(server.connections).toBe(1)
  })

  it('leave no timer and no listener behind', async () => {
    const server = await httpServer((_, answer) => answer.end())
    const outgoing = open()
    const { signal } = new AbortController()
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    await outgoing.send(post(server))
    const before = timers()
    for (let count = 0; count < 20; count++) await outgoing.send({ ...post(server), signal })
    expect(timers()).toBeLessThan(before + 10)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('of a certain age are not used again', async () => {
    const server = await httpServer((_, answer) => answer.end())
    const outgoing = bounded({ connectionAgeMs: 0 })
    await outgoing.send(post(server))
    await outgoing.send(post(server))
    expect(server.connections).toBe(2)
  })

  it('that the other side ends while they are idle are not used again', async () => {
    const server = await httpServer((_, answer) => answer.end())
    const outgoing = open()
    await outgoing.send(post(server))
    for (const socket of server.sockets) socket.destroy()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await outgoing.send(post(server))).toMatchObject({ kind: 'answered' })
    expect(server.connections).toBe(2)
  })
})

describe('an end before the answer', () => {
  it('by the signal: the connection ends with it', async () => {
    const { server, arrived } = await holding()
    const aborting = new AbortController()
    const reply = open().send({ ...post(server), signal: aborting.signal })
    await arrived(1)
    aborting.abort()
    expect(await reply).toMatchObject({ kind: 'failed', reason: 'it was called off' })
    while (server.sockets.size > 0) await new Promise((resolve) => setImmediate(resolve))
  })

  it('by a signal that many share, without a warning', async () => {
    const warnings: Error[] = []
    const warned = (warning: Error) => void warnings.push(warning)
    process.on('warning', warned)
    const { server, arrived } = await holding()
    const outgoing = open()
    const aborting = new AbortController()
    const replies = Array.from({ length: 20 }, () => outgoing.send({ ...post(server), signal: aborting.signal }))
    await arrived(20)
    aborting.abort()
    for (const reply of await Promise.all(replies)) expect(reply).toMatchObject({ reason: 'it was called off' })
    process.off('warning', warned)
    expect(warnings).toEqual([])
  })

  it('by a signal that was there before: nothing is sent', async () => {
    const server = await httpServer((_, answer) => answer.end())
    const reply = await open().send({ ...post(server), signal: AbortSignal.abort() })
    expect(reply).toMatchObject({ kind: 'failed', reason: 'it was called off' })
    expect(server.connections).toBe(0)
  })

  it('by the signal, while the name is looked up: nothing is sent when it is found', async () => {
    const server = await httpServer((_, answer) => answer.end())
    let found: (addresses: readonly string[]) => void = () => undefined
    const outgoing = open({
      ports: { 'http:': [server.port] },
      resolve: () => new Promise((resolve) => (found = resolve)),
    })
    const aborting = new AbortController()
    const url = `http://shop.example:${server.port}/`
    const reply = outgoing.send({ method: 'POST', url, signal: aborting.signal })
    await new Promise((resolve) => setImmediate(resolve))
    aborting.abort()
    expect(await reply).toMatchObject({ kind: 'failed', reason: 'it was called off' })
    found(['127.0.0.1'])
    // A connection made now is accepted after any that was begun before.
    await new Promise((resolve) => connect(server.port, '127.0.0.1').on('connect', resolve))
    expect(server.connections).toBeLessThanOrEqual(1)
    expect(server.requests).toBe(0)
  })

  it('by close: what is under way, what waits, what is idle, and what comes later', async () => {
    const { server, arrived } = await holding()
    const idle = await httpServer((_, answer) => answer.end())
    const resolve = vi.fn(async () => ['127.0.0.1'])
    const outgoing = open({ ports: { 'http:': [server.port] }, resolve, bounds: { originConnectionsMax: 1 } })
    const request = { method: 'POST', url: `http://shop.example:${server.port}/` } as const
    await outgoing.send(post(idle))
    const replies = [outgoing.send(request), outgoing.send(request)]
    await arrived(1)
    await outgoing.close()
    const stopping = { kind: 'failed', reason: 'the gateway is stopping' }
    for (const reply of replies) expect(await reply).toMatchObject(stopping)
    expect(await outgoing.send(request)).toMatchObject(stopping)
    while (server.sockets.size + idle.sockets.size > 0) await new Promise((next) => setImmediate(next))
    expect(server.requests).toBe(1)
    expect(resolve).toHaveBeenCalledTimes(1)
  })
})
