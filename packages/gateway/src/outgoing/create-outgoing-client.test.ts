import { afterEach, describe, expect, it } from 'vitest'
import { openOutgoingClients } from '../testing/open-outgoing-clients.ts'
import { postRequest, startHttpServer, startTcpServer } from '../testing/outgoing-servers.ts'

const { open, openBounded, closeAll } = openOutgoingClients()
afterEach(closeAll)

describe('the sent request', () => {
  it('has a method, path, query, headers and body, and no fragment', async () => {
    let received: unknown
    const server = await startHttpServer((request, answer) => {
      const { method, url, headers } = request
      let body = ''
      request.setEncoding('utf8').on('data', (text) => (body += text))
      request.on('end', () => {
        received = { method, url, headers, body }
        answer.end()
      })
    })
    await open().send({
      method: 'POST',
      url: `http://127.0.0.1:${server.port}/a%20b/ü?c=d&e#f`,
      headers: { 'content-type': 'application/json', 'webhook-id': '1' },
      body: '{"ü":1}',
    })
    expect(received).toEqual({
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

  it('has no body if it is a GET', async () => {
    let received: unknown
    const server = await startHttpServer(({ method, headers }, answer) => {
      received = { method, length: headers['content-length'], coding: headers['transfer-encoding'] }
      answer.end('yes')
    })
    const reply = await open().send({ method: 'GET', url: `http://127.0.0.1:${server.port}/` })
    expect(reply).toMatchObject({ kind: 'answered', status: 200, body: 'yes' })
    expect(received).toEqual({ method: 'GET', length: undefined, coding: undefined })
  })

  it('has a body of a bounded number of bytes', async () => {
    const server = await startHttpServer((_, answer) => answer.end())
    const outgoing = openBounded({ bodyBytesMax: 4 })
    expect(await outgoing.send(postRequest(server, 'üü'))).toMatchObject({ kind: 'answered' })
    expect(await outgoing.send(postRequest(server, 'üü.'))).toMatchObject({
      kind: 'failed',
      reason: 'the body is longer than 4 bytes',
    })
    expect(server.requests).toBe(1)
  })

  it('fails while its body and the bodies in flight exceed their bound', async () => {
    let answers: (() => void)[] = []
    const server = await startHttpServer((_, answer) => void answers.push(() => answer.end()))
    const outgoing = openBounded({ bodiesBytesMax: 5 })
    const first = outgoing.send(postRequest(server, 'four'))
    await expect.poll(() => answers.length).toBe(1)
    expect(await outgoing.send(postRequest(server, 'ab'))).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('bodies of requests'),
    })
    const second = outgoing.send(postRequest(server, 'a'))
    await expect.poll(() => answers.length).toBe(2)
    for (const answer of answers) answer()
    expect([await first, await second]).toMatchObject([{ kind: 'answered' }, { kind: 'answered' }])
    answers = []
    const third = outgoing.send(postRequest(server, 'after'))
    await expect.poll(() => answers.length).toBe(1)
    answers[0]?.()
    expect(await third).toMatchObject({ kind: 'answered' })
  })

  it('fails if a header contains a line break', async () => {
    const server = await startHttpServer((_, answer) => answer.end())
    const request = { ...postRequest(server), headers: { 'webhook-id': '1\r\nhost: shop.example' } }
    expect(await open().send(request)).toMatchObject({
      kind: 'failed',
      reason: 'the request cannot be written as HTTP',
    })
    expect(server.requests).toBe(0)
  })

  it('is not sent to the proxy that environment variables name', async () => {
    const proxy = await startHttpServer((_, answer) => answer.end())
    const server = await startHttpServer((_, answer) => answer.end())
    const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'NODE_USE_ENV_PROXY']
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`
    const reply = await open().send(postRequest(server))
    for (const name of names) delete process.env[name]
    expect(reply).toMatchObject({ kind: 'answered' })
    expect(proxy.connections).toBe(0)
  })
})

describe('an answer', () => {
  it.each([200, 201, 204, 304, 400, 401, 404, 410, 429, 500, 503])('of status %i is returned', async (status) => {
    const server = await startHttpServer((_, answer) => answer.writeHead(status).end())
    const reply = await open().send(postRequest(server))
    expect(reply).toMatchObject({ kind: 'answered', status, body: '', retryAfterMs: undefined })
    expect(reply.durationMs).toBeGreaterThanOrEqual(0)
  })

  it.each([301, 302, 303, 307, 308])('of status %i is not followed', async (status) => {
    const other = await startHttpServer((_, answer) => answer.end())
    const location = `http://127.0.0.1:${other.port}/`
    const server = await startHttpServer((_, answer) => answer.writeHead(status, { location }).end('there'))
    expect(await open().send(postRequest(server))).toMatchObject({ kind: 'answered', status, body: 'there' })
    expect(other.connections).toBe(0)
    expect(server.requests).toBe(1)
  })

  it('has a Retry-After in seconds or as a date', async () => {
    let text = '7'
    const server = await startHttpServer((_, answer) => answer.writeHead(503, { 'retry-after': text }).end())
    const outgoing = open({ clock: { now: () => Date.UTC(2026, 0, 1) } })
    expect(await outgoing.send(postRequest(server))).toMatchObject({ status: 503, retryAfterMs: 7_000 })
    text = 'Thu, 01 Jan 2026 00:00:09 GMT'
    expect(await outgoing.send(postRequest(server))).toMatchObject({ status: 503, retryAfterMs: 9_000 })
  })

  it('is read after an interim answer', async () => {
    const server = await startHttpServer((_, answer) => {
      answer.writeEarlyHints({ link: '</a>; rel=preload' })
      answer.end('there')
    })
    expect(await open().send(postRequest(server))).toMatchObject({ kind: 'answered', status: 200, body: 'there' })
  })

  it.each([
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nthere'],
    ['HTTP/1.1 without a length', 'HTTP/1.1 200 OK\r\n\r\nthere'],
    ['HTTP/1.1 in chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nth\r\n3\r\nere\r\n0\r\n\r\n'],
  ])('in %s is read', async (_, text) => {
    const server = await startTcpServer((socket) => void socket.on('data', () => socket.end(text)))
    expect(await open().send(postRequest(server))).toMatchObject({ kind: 'answered', status: 200, body: 'there' })
  })

  it('of the maximum length is read completely, and the connection is reused', async () => {
    const server = await startHttpServer((_, answer) => answer.end('x'.repeat(16 * 1024)))
    const outgoing = open()
    expect(await outgoing.send(postRequest(server))).toMatchObject({ kind: 'answered', body: 'x'.repeat(16 * 1024) })
    await outgoing.send(postRequest(server))
    expect(server.connections).toBe(1)
  })

  it('above the maximum length is truncated, and the connection is closed', async () => {
    const server = await startHttpServer((_, answer) => answer.end('x'.repeat(16 * 1024 + 1)))
    const outgoing = open()
    expect(await outgoing.send(postRequest(server))).toMatchObject({ kind: 'answered', body: 'x'.repeat(16 * 1024) })
    await outgoing.send(postRequest(server))
    expect(server.connections).toBe(2)
  })

  it('is truncated between characters', async () => {
    const server = await startHttpServer((_, answer) => answer.end('1234€'))
    expect(await openBounded({ answerBytesMax: 6 }).send(postRequest(server))).toMatchObject({ body: '1234' })
    expect(await openBounded({ answerBytesMax: 7 }).send(postRequest(server))).toMatchObject({ body: '1234€' })
  })

  it('without end is truncated, and its remainder is not read', async () => {
    let sent = 0
    let ended: () => void
    const end = new Promise<void>((resolve) => (ended = resolve))
    const server = await startHttpServer((_, answer) => {
      const block = Buffer.alloc(64 * 1024)
      const writeOn = () => {
        while (!answer.destroyed && answer.write(block)) sent += block.length
      }
      answer.on('drain', writeOn).on('close', ended)
      writeOn()
    })
    const reply = await open().send(postRequest(server))
    expect(reply).toMatchObject({ kind: 'answered', status: 200, body: '\0'.repeat(16 * 1024) })
    await end
    expect(sent).toBeLessThan(64 * 1024 * 1024)
  })
})
