import type { Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openOutgoingClients } from '../testing/open-outgoing-clients.ts'
import { postRequest, type CountingServer, startHttpsServer, startTcpServer } from '../testing/outgoing-servers.ts'
import { selfSignedCertificate } from '../testing/certificate.ts'

const { open, openBounded, closeAll } = openOutgoingClients()
afterEach(closeAll)

describe('failures', () => {
  const serverSending = (text: string) => startTcpServer((socket) => void socket.on('data', () => socket.end(text)))
  const CLOSED = 'the connection was closed before the answer was complete'
  const NO_HTTP = 'the answer is not valid HTTP'
  const interimAnswers = `HTTP/1.1 103 Early Hints\r\n\r\n`.repeat(9)

  it.each([
    ['garbage', 'garbage\r\n\r\n', NO_HTTP],
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', NO_HTTP],
    ['HTTP/2', 'HTTP/2 200\r\n\r\n', NO_HTTP],
    ['half a head', 'HTTP/1.1 200 OK\r\ncontent-', CLOSED],
    ['half a body', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf', CLOSED],
    [
      'two different Content-Length headers',
      'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx',
      'the answer differs from its Content-Length',
    ],
    ['a chunk with an invalid size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', NO_HTTP],
    ['long headers', `HTTP/1.1 200 OK\r\na: ${'x'.repeat(20_000)}\r\n\r\n`, 'the headers of the answer are too long'],
    ['many headers', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(9_000)}\r\n`, 'the headers of the answer are too long'],
    ['interim answers', `${interimAnswers}HTTP/1.1 200 OK\r\n\r\n`, 'there were too many answers of status 1xx'],
    ['a switch of protocols', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', CLOSED],
    ['nothing', '', CLOSED],
  ])('a request fails if the server sends %s', async (_, text, reason) => {
    const reply = await open().send(postRequest(await serverSending(text)))
    expect(reply).toMatchObject({ kind: 'failed', reason })
  })

  /** Writes a block repeatedly until the client closes the connection. */
  const flood = (head: string, block: string) => (socket: Socket) => {
    const writeOn = () => {
      while (!socket.destroyed && socket.write(block)) continue
    }
    socket.on('drain', writeOn).write(head)
    writeOn()
  }
  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'

  it.each([
    ['blank lines', '', '\r\n'.repeat(9_000)],
    ['a reason phrase', 'HTTP/1.1 200 ', 'x'.repeat(9_000)],
    ['a chunk extension', `${chunked}1;`, 'x'.repeat(9_000)],
    ['the size of a chunk', chunked, '0'.repeat(9_000)],
    ['interim answers', '', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(99)],
    ['headers', 'HTTP/1.1 200 OK\r\n', 'a: b\r\n'.repeat(9_000)],
    ['the name of a header', 'HTTP/1.1 200 OK\r\n', 'a'.repeat(9_000)],
    ['trailers', `${chunked}0\r\n`, 'a: b\r\n'.repeat(9_000)],
  ])('a request fails if the server sends %s without end', async (_, head, block) => {
    const server = await startTcpServer(flood(head, block))
    const reply = await open().send(postRequest(server))
    expect(reply).toMatchObject({ kind: 'failed', reason: expect.stringMatching(/too long|too many|not valid HTTP/) })
    while (server.sockets.size > 0) await new Promise((resolve) => setImmediate(resolve))
  })

  it('a request fails if the connection is closed at once', async () => {
    const server = await startTcpServer((socket) => socket.destroy())
    expect(await open().send(postRequest(server))).toMatchObject({ kind: 'failed', reason: CLOSED })
  })

  it('a request fails if the connection is refused', async () => {
    const reply = await open().send({ method: 'GET', url: 'http://127.0.0.1:1/' })
    expect(reply).toMatchObject({ kind: 'failed', reason: 'the connection was refused' })
  })

  it('a request fails if there is no answer in time', async () => {
    const server = await startTcpServer(() => undefined)
    const reply = await openBounded({ totalTimeoutMs: 50 }).send(postRequest(server))
    expect(reply).toMatchObject({ kind: 'failed', reason: 'no complete answer was received within 0.05 s' })
  })

  it.each(['HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n', 'HTTP/1.1 200 OK\r\n', ''])(
    'a request fails if the answer arrives too slowly after %j',
    async (head) => {
      const server = await startTcpServer((socket) => {
        socket.write(head)
        const drip = setInterval(() => socket.write('a'), 5)
        socket.on('close', () => clearInterval(drip))
      })
      const reply = await openBounded({ totalTimeoutMs: 100 }).send(postRequest(server))
      expect(reply).toMatchObject({ kind: 'failed' })
    },
  )

  it.each([
    ['ENOTFOUND', 'the name does not resolve'],
    ['ENODATA', 'the name does not resolve'],
    ['ETIMEOUT', 'the look-up of the name failed'],
    ['ESERVFAIL', 'the look-up of the name failed'],
    ['ECONNREFUSED', 'the look-up of the name failed'],
  ])('a request fails if the name look-up ends in %s', async (code, reason) => {
    const resolve = () => Promise.reject(Object.assign(new Error(`query ${code} shop.example`), { code }))
    const reply = await open({ resolve }).send({ method: 'GET', url: 'https://shop.example/' })
    expect(reply).toMatchObject({ kind: 'failed', reason })
  })

  it('a request fails if the name look-up finds no address', async () => {
    const reply = await open({ resolve: async () => [] }).send({ method: 'GET', url: 'https://shop.example/' })
    expect(reply).toMatchObject({ kind: 'failed', reason: 'the name does not resolve' })
  })

  it('a request fails if the name look-up never ends', async () => {
    const outgoing = open({ resolve: () => new Promise(() => undefined), bounds: { connectTimeoutMs: 50 } })
    const reply = await outgoing.send({ method: 'GET', url: 'https://shop.example/' })
    expect(reply).toMatchObject({ kind: 'failed', reason: 'there was no connection within 0.05 s' })
  })
})

describe('TLS', () => {
  const good = selfSignedCertificate(['shop.example'])

  const openTrusting = (authorities: string | undefined) =>
    open({
      resolve: async () => ['127.0.0.1'],
      ...(authorities !== undefined && { authorities }),
    })

  /** Sends a request to a name that resolves to the server, whose port is permitted. */
  function sendToName(server: CountingServer, authorities: string | undefined, host = 'shop.example') {
    const outgoing = open({
      ports: { 'https:': [server.port] },
      resolve: async () => ['127.0.0.1'],
      ...(authorities !== undefined && { authorities }),
    })
    return outgoing.send({ method: 'POST', url: `https://${host}:${server.port}/`, body: '{}' })
  }

  it('uses the name for SNI and Host, although the connection is to the address', async () => {
    let received: unknown
    const server = await startHttpsServer(good, (request, answer) => {
      const servername = 'servername' in request.socket ? request.socket.servername : undefined
      received = { servername, host: request.headers.host }
      answer.end()
    })
    expect(await sendToName(server, good.cert)).toMatchObject({ kind: 'answered', status: 200 })
    expect(received).toEqual({ servername: 'shop.example', host: `shop.example:${server.port}` })
  })

  it.each([
    ['self-signed', good, false, 'it is self-signed'],
    ['for another name', selfSignedCertificate(['other.example']), true, 'it is for another name'],
    ['expired', selfSignedCertificate(['shop.example'], [-30, -1]), true, 'it has expired'],
    ['not valid yet', selfSignedCertificate(['shop.example'], [1, 30]), true, 'it is not valid yet'],
  ])('refuses a certificate that is %s', async (_, certificate, isTrusted, fault) => {
    const server = await startHttpsServer(certificate, (_request, answer) => answer.end())
    const reply = await sendToName(server, isTrusted ? certificate.cert : undefined)
    expect(reply).toMatchObject({ kind: 'failed', reason: `the certificate is not valid: ${fault}` })
    expect(server.requests).toBe(0)
  })

  it('refuses an invalid certificate even if an environment variable disables the check', async () => {
    const server = await startHttpsServer(good, (_, answer) => answer.end())
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    const reply = await sendToName(server, undefined)
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    expect(reply).toMatchObject({ kind: 'failed' })
    expect(server.requests).toBe(0)
  })

  it('refuses a certificate for a name if the URL contains an address', async () => {
    const server = await startHttpsServer(good, (_, answer) => answer.end())
    const url = `https://127.0.0.1:${server.port}/`
    const reply = await openTrusting(good.cert).send({ method: 'GET', url })
    expect(reply).toMatchObject({ kind: 'failed', reason: 'the certificate is not valid: it is for another name' })
  })

  it.each([
    ['garbage', 'garbage '.repeat(99)],
    ['plain HTTP', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
  ])('fails if the server answers the handshake with %s', async (_, text) => {
    const server = await startTcpServer((socket) => void socket.on('data', () => socket.write(text)))
    const reply = await openTrusting(undefined).send({ method: 'GET', url: `https://127.0.0.1:${server.port}/` })
    expect(reply).toMatchObject({ kind: 'failed', reason: 'the server does not speak TLS' })
  })

  it('bounds the length of an answer', async () => {
    const server = await startHttpsServer(good, (_, { socket }) => {
      const writeOn = () => {
        while (socket?.writable && socket.write('\r\n'.repeat(9_000))) continue
      }
      socket?.on('drain', writeOn)
      writeOn()
    })
    expect(await sendToName(server, good.cert)).toMatchObject({ kind: 'failed', reason: 'the answer is too long' })
  })

  it('fails if the server sends nothing', async () => {
    const server = await startTcpServer(() => undefined)
    const outgoing = openBounded({ connectTimeoutMs: 50 })
    const reply = await outgoing.send({ method: 'GET', url: `https://127.0.0.1:${server.port}/` })
    expect(reply).toMatchObject({ kind: 'failed', reason: 'there was no connection within 0.05 s' })
  })
})
