import { once } from 'node:events'
import { type Socket, connect } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { sandboxIds, sandboxToken } from '@tollgate/operations'
import { limits } from '../limits.ts'
import { checkAnswer } from '../testing/check-answer.ts'
import { cardPayment, FORM, formOf, testGateway } from '../testing/test-gateway.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { server } = tollgate

const authorization = `Bearer ${sandboxToken}`
const payment = formOf({ entityId: sandboxIds.channel, ...cardPayment() })

describe('over a real connection', async () => {
  await server.listen({ port: 0, host: '127.0.0.1' })
  const [address] = server.addresses()
  const port = typeof address === 'object' ? address.port : 0

  const connections = () => promisify(server.server.getConnections.bind(server.server))()

  /** Writes the parts unchanged, reads until the server closes the connection, and checks the answers. */
  async function exchange(...parts: readonly (string | Buffer)[]): Promise<readonly Reply[]> {
    const socket = connect(port, '127.0.0.1')
    // The server may close the connection before all parts are written, as `Connection: close` announces.
    socket.on('error', () => undefined)
    for (const part of parts) await write(socket, part)
    const chunks: Buffer[] = []
    await new Promise<void>((resolve) => {
      socket.on('data', (chunk) => chunks.push(chunk))
      socket.on('close', () => resolve())
    })
    return repliesIn(Buffer.concat(chunks).toString())
  }

  const head = (line: string, ...headers: readonly string[]) =>
    [`${line} HTTP/1.1`, 'Host: tollgate', ...headers, '', ''].join('\r\n')
  const formHeaders = ['Authorization: ' + authorization, `Content-Type: ${FORM}`]
  const closingHeaders = [...formHeaders, 'Connection: close']
  const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

  test('a body in two chunks is read', async () => {
    const [start, end] = [payment.slice(0, 100), payment.slice(100)]
    const requestHead = head('POST /v1/payments', ...closingHeaders, 'Transfer-Encoding: chunked')
    const [reply] = await exchange(requestHead, chunk(start), chunk(end), '0\r\n\r\n')
    expect([reply?.status, reply?.code]).toEqual([200, '000.100.110'])
  })

  test('a body that is written one byte at a time is read', async () => {
    const length = `Content-Length: ${payment.length}`
    const [reply] = await exchange(head('POST /v1/payments', ...closingHeaders, length), ...payment.split(''))
    expect([reply?.status, reply?.code]).toEqual([200, '000.100.110'])
  })

  test('two requests on one connection are both answered', async () => {
    const length = `Content-Length: ${payment.length}`
    const first = head('POST /v1/payments', ...formHeaders, length) + payment
    const second = head('POST /v1/payments', ...closingHeaders, length) + payment
    const replies = await exchange(first, second)
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
  })

  test('the body of an unauthenticated request is not parsed as the next request', async () => {
    const smuggled = head('GET /healthz')
    const first = head('POST /v1/payments', `Content-Type: ${FORM}`, `Content-Length: ${smuggled.length}`) + smuggled
    const replies = await exchange(first, head('GET /v1/nothing', 'Connection: close'))
    expect(replies.map(({ status }) => status)).toEqual([401, 404])
  })

  test('a body whose Content-Length is above the limit is refused before it is sent', async () => {
    const length = `Content-Length: ${limits.bodyBytesMax + 1}`
    const [reply, ...further] = await exchange(head('POST /v1/payments', ...formHeaders, length))
    expect([reply?.status, reply?.code, further]).toEqual([413, '200.100.103', []])
    expect(reply?.head.toLowerCase()).toContain('connection: close')
  })

  test('a chunked body is refused once it exceeds the limit', async () => {
    const part = chunk('x'.repeat(65_535) + '&')
    const parts = Array.from({ length: limits.bodyBytesMax / 65_536 + 1 }, () => part)
    const [reply] = await exchange(head('POST /v1/payments', ...formHeaders, 'Transfer-Encoding: chunked'), ...parts)
    expect([reply?.status, reply?.code]).toEqual([413, '200.100.103'])
  })

  test('Expect: 100-continue is answered, then the body is read', async () => {
    const length = `Content-Length: ${payment.length}`
    const requestHead = head('POST /v1/payments', ...closingHeaders, length, 'Expect: 100-continue')
    const [interim, reply] = await exchange(requestHead, payment)
    expect([interim?.status, reply?.status]).toEqual([100, 200])
  })

  test('a request without a Host header is answered', async () => {
    const [reply] = await exchange('GET /v1/nothing HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect([reply?.status, reply?.code]).toEqual([404, '200.100.199'])
  })

  test('a request target in absolute form is answered', async () => {
    const [reply] = await exchange(head('GET http://tollgate/v1/nothing', 'Connection: close'))
    expect([reply?.status, reply?.code]).toEqual([404, '200.100.199'])
  })

  test('an unknown expectation is ignored', async () => {
    const [reply] = await exchange(head('GET /v1/nothing', 'Connection: close', 'Expect: unknown'))
    expect([reply?.status, reply?.code]).toEqual([404, '200.100.199'])
  })

  test('a request for a protocol upgrade is answered over HTTP/1.1', async () => {
    const upgrade = ['Connection: Upgrade, close', 'Upgrade: websocket']
    const [reply] = await exchange(head('GET /v1/nothing', ...upgrade))
    expect([reply?.status, reply?.code]).toEqual([404, '200.100.199'])
  })

  test('CONNECT is refused with 405', async () => {
    const [reply, ...further] = await exchange('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n')
    expect([reply?.status, reply?.code, further]).toEqual([405, '200.300.403', []])
    expect(reply?.head).toMatch(/^allow: $/m)
  })

  test('QUERY without a content type is refused with 415', async () => {
    const [reply] = await exchange(head('QUERY /v1/payments', 'Connection: close'))
    expect([reply?.status, reply?.code]).toEqual([415, '200.100.103'])
  })

  test.each(['hello\r\n\r\n', 'CONNECT example.com:443 HTTP/1.1\r\n\r\n'])(
    'after %j the connection is closed, even if the client keeps its side open',
    async (bytes) => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      socket.resume()
      await write(socket, bytes)
      await once(socket, 'end')
      await expect.poll(connections).toBe(0)
      socket.destroy()
    },
  )

  describe('a body that is refused while it is sent', () => {
    const refusedBytes = 2 * limits.bodyBytesMax
    const refusedHead = head('POST /v1/payments', ...formHeaders, `Content-Length: ${refusedBytes}`)

    /** Begins a request, and reads the answer until the server closes its side. */
    async function refused(start = refusedHead) {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      const chunks: Buffer[] = []
      const errors: Error[] = []
      socket.on('data', (bytes) => chunks.push(bytes))
      socket.on('error', (error) => errors.push(error))
      await write(socket, start)
      await once(socket, 'end')
      return { socket, errors, replies: () => repliesIn(Buffer.concat(chunks).toString()) }
    }

    test.each([
      ['too long', refusedHead, 413],
      ['malformed', head('POST /v1/payments', ...formHeaders, 'Transfer-Encoding: chunked') + 'no length\r\n', 400],
    ])('is read on, so that the connection is not reset and the answer not lost: %s', async (_name, start, status) => {
      const { socket, errors, replies } = await refused(start)
      for (let sent = 0; sent < refusedBytes; sent += 65_536) await write(socket, 'x'.repeat(65_536))
      socket.end()
      await once(socket, 'close')
      expect(errors).toEqual([])
      expect(replies().map((reply) => reply.status)).toEqual([status])
      await expect.poll(connections).toBe(0)
    })

    test('is followed by no further request', async () => {
      const start = tollgate.logged.length
      const { socket } = await refused()
      await write(socket, 'x'.repeat(refusedBytes) + head('GET /v1/nothing'))
      socket.end()
      await once(socket, 'close')
      await expect.poll(connections).toBe(0)
      expect(tollgate.logged.slice(start).map(({ status }) => status)).toEqual([413])
    })

    test('is no longer read after a while', async () => {
      const { socket } = await refused()
      await expect.poll(connections, { timeout: limits.requestTimeoutMs - 5_000 }).toBe(0)
      socket.destroy()
    })

    test('behind another request, whose answer closes the connection, is not handled', async () => {
      const start = tollgate.logged.length
      const closing = head('QUERY /v1/payments')
      const next = head('POST /v1/payments', ...formHeaders, `Content-Length: ${payment.length}`)
      const { socket, replies } = await refused(closing + next + payment.slice(0, 50))
      await write(socket, payment.slice(50))
      socket.end()
      await expect.poll(connections).toBe(0)
      expect(replies().map(({ status }) => status)).toEqual([415])
      expect(tollgate.logged.slice(start).map(({ status }) => status)).not.toContain(200)
    })
  })

  test('a request of HTTP/1.0 is answered', async () => {
    const [reply] = await exchange('GET /v1/nothing HTTP/1.0\r\n\r\n')
    expect([reply?.status, reply?.code]).toEqual([404, '200.100.199'])
  })

  test.each([
    { input: 'bytes that are not HTTP', bytes: 'hello\r\n\r\n', status: 400 },
    {
      input: 'a TLS handshake',
      bytes: Buffer.from([22, 3, 1, 0, 100, 1, 0, 0, 96, 3, 3, 13, 10, 13, 10]),
      status: 400,
    },
    {
      input: 'two Content-Length headers',
      bytes: head('POST /', 'Content-Length: 1', 'Content-Length: 2'),
      status: 400,
    },
    {
      input: 'Content-Length beside Transfer-Encoding',
      bytes: head('POST /', 'Content-Length: 1', 'Transfer-Encoding: chunked'),
      status: 400,
    },
    { input: 'a Content-Length that is no number', bytes: head('POST /', 'Content-Length: x'), status: 400 },
    { input: 'headers above the limit', bytes: head('GET /', `X: ${'x'.repeat(20_000)}`), status: 431 },
  ])('$input is refused with $status', async ({ bytes, status }) => {
    const [reply, ...further] = await exchange(bytes)
    expect([reply?.status, reply?.code, further]).toEqual([status, '200.100.103', []])
  })
})

interface Reply {
  readonly status: number
  readonly head: string
  readonly code: string | undefined
}

const write = (socket: Socket, part: string | Buffer): Promise<void> =>
  new Promise((resolve) => void socket.write(part, () => resolve()))

/** Parses the answers of one connection, and checks each against the contract. */
function repliesIn(text: string): readonly Reply[] {
  const replies: Reply[] = []
  let rest = text
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) throw new Error(`no answer: ${rest}`)
    const head = rest.slice(0, end)
    const status = Number(head.split(' ', 2)[1])
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
    const body = Buffer.from(rest.slice(end + 4))
      .subarray(0, length)
      .toString()
    rest = Buffer.from(rest.slice(end + 4))
      .subarray(length)
      .toString()
    if (status === 100) {
      replies.push({ status, head, code: undefined })
      continue
    }
    const contentType = /^content-type: (.+)$/im.exec(head)?.[1] ?? ''
    checkAnswer({ method: 'POST', url: '/v1/payments', status, contentType, text: body })
    const { result }: { result: { code: string } } = JSON.parse(body)
    replies.push({ status, head, code: result.code })
  }
  return replies
}
