import { BlockList } from 'node:net'
import { createHash, X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type AcquirerRequest, createUpstreamConnector, type UpstreamExchange } from '@tollgate/connectors'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { selfSignedCertificate } from '../testing/certificate.ts'
import { startHttpServer, startHttpsServer, startTcpServer } from '../testing/outgoing-servers.ts'
import { createUpstreamExchange, type UpstreamTarget } from './upstream-exchange.ts'

const opened: UpstreamExchange[] = []
afterEach(async () => {
  for (const exchange of opened.splice(0)) await exchange.close()
})

function open(baseUrl: string, options: Partial<UpstreamTarget> = {}): UpstreamExchange {
  const exchange = createUpstreamExchange({ baseUrl, environment: 'test', ...options })
  opened.push(exchange)
  return exchange
}

const certificate = selfSignedCertificate(['localhost'])
const keyOf = (pem: string): string => {
  const key = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(key).digest('base64')
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const post = (exchange: UpstreamExchange, baseUrl: string, body = 'a=1') =>
  exchange.send({
    method: 'POST',
    url: `${baseUrl}/v1/payments`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: 'Bearer token' },
    body: Buffer.from(body),
  })

/** The networks that an operator permits for upstream gateways. */
const networks = new BlockList()
networks.addSubnet('10.0.0.0', 8, 'ipv4')
networks.addSubnet('127.0.0.0', 8, 'ipv4')
networks.addAddress('::1', 'ipv6')

describe('a request over TLS', () => {
  const startUpstream = () =>
    startHttpsServer(certificate, (request, answer) => {
      const { method, url, headers } = request
      void textOf(request).then((body) =>
        answer.end(JSON.stringify({ method, url, token: headers.authorization, body })),
      )
    })
  const trusted = { environment: 'live', networks, authorities: certificate.cert } as const

  test('is answered, and the connection is kept for the next one', async () => {
    const server = await startUpstream()
    const baseUrl = `https://localhost:${server.port}`
    const exchange = open(baseUrl, trusted)
    const replies = [await post(exchange, baseUrl), await post(exchange, baseUrl, 'b=2')]
    expect(replies).toMatchObject([
      { status: 200, sent: true },
      { status: 200, sent: true },
    ])
    expect(replies.map(({ body }) => JSON.parse(body))).toMatchObject([
      { method: 'POST', url: '/v1/payments', token: 'Bearer token', body: 'a=1' },
      { body: 'b=2' },
    ])
    expect([server.connections, server.requests]).toEqual([1, 2])
  })

  test.each([
    ['the pinned key is accepted', { pinnedKey: keyOf(certificate.cert) }, undefined],
    [
      'another key is refused',
      { pinnedKey: keyOf(selfSignedCertificate(['localhost']).cert) },
      'the key of the server is not the pinned key',
    ],
    ['a text that is no key is refused', { pinnedKey: 'key' }, 'the key of the server is not the pinned key'],
    [
      'another authority is refused',
      { authorities: selfSignedCertificate(['localhost']).cert },
      'the certificate is not valid: it is self-signed',
    ],
    ['an address of this machine is refused', { networks: undefined }, 'the host is a loopback address (RFC 6761)'],
  ])('%s', async (_, options, reason) => {
    const server = await startUpstream()
    const baseUrl = `https://localhost:${server.port}`
    const reply = await post(open(baseUrl, { ...trusted, ...options }), baseUrl)
    if (reason === undefined) expect(reply).toMatchObject({ status: 200, sent: true })
    else expect(reply).toEqual({ status: 0, body: '', sent: false, reason })
    expect(server.requests).toBe(reason === undefined ? 1 : 0)
  })
})

describe('addresses', () => {
  test.each([
    ['live', networks, 'http://10.0.0.1', 'the scheme of the URL is not https'],
    ['live', undefined, 'https://10.0.0.1', 'the host is a private address (RFC 1918)'],
    ['test', undefined, 'https://[fd00::1]', 'the host is a private address (RFC 4193)'],
    ['live', networks, 'https://169.254.169.254', 'the host is a link-local address (RFC 3927)'],
    ['live', networks, 'https://0.0.0.0', 'the host is an address of this network (RFC 791)'],
  ] as const)('in %s, with networks %s: %s is refused', async (environment, permitted, baseUrl, reason) => {
    const reply = await post(open(baseUrl, { environment, networks: permitted }), baseUrl)
    expect(reply).toEqual({ status: 0, body: '', sent: false, reason })
  })

  test('only the port of the base URL is permitted', async () => {
    const exchange = open('https://pay.example:9443')
    expect(await post(exchange, 'https://pay.example')).toMatchObject({ reason: 'the port is not one of 9443' })
  })
})

describe('without a complete answer', () => {
  const cases: readonly (readonly [title: string, text: string, outcome: object])[] = [
    ['nothing', '', { status: 0, sent: true }],
    ['half an answer', 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"id', { status: 0, sent: true }],
    ['garbage', 'garbage\r\n\r\n', { status: 0, sent: true }],
    ['a redirect', 'HTTP/1.1 307 Moved\r\nlocation: /other\r\ncontent-length: 0\r\n\r\n', { status: 307, sent: true }],
  ]
  test.each(cases)('%s', async (_, text, outcome) => {
    const server = await startTcpServer((socket) => void socket.on('data', () => socket.end(text)))
    const baseUrl = `http://127.0.0.1:${server.port}`
    expect(await post(open(baseUrl), baseUrl)).toMatchObject(outcome)
    expect(server.connections).toBe(1)
  })

  test('a connection that is refused has sent nothing', async () => {
    const server = await startHttpServer(() => undefined)
    const baseUrl = `http://127.0.0.1:${server.port}`
    const exchange = open('http://127.0.0.1:1')
    expect(await post(exchange, 'http://127.0.0.1:1')).toEqual({
      status: 0,
      body: '',
      sent: false,
      reason: 'the connection was refused',
    })
    expect(await post(open(baseUrl, { bounds: { totalTimeoutMs: 50 } }), baseUrl)).toMatchObject({
      status: 0,
      sent: true,
      reason: 'no complete answer was received within 0.05 s',
    })
  })

  test('an answer that repeats a large cart is complete', async () => {
    const text = `{"a":"${'x'.repeat(1_500_000)}"}`
    const server = await startHttpServer((_, answer) => answer.end(text))
    const baseUrl = `http://127.0.0.1:${server.port}`
    expect((await post(open(baseUrl), baseUrl)).body).toHaveLength(text.length)
  })

  test('all answers together have a bound, which does not count those that have ended', async () => {
    const text = 'x'.repeat(1_000)
    const server = await startHttpServer((_, answer) => answer.end(text))
    const baseUrl = `http://127.0.0.1:${server.port}`
    const exchange = open(baseUrl, { bounds: { answersBytesMax: 1_000 } })
    for (let each = 0; each < 3; each += 1) expect(await post(exchange, baseUrl)).toMatchObject({ body: text })
    const tooSmall = open(baseUrl, { bounds: { answersBytesMax: 999 } })
    for (let each = 0; each < 2; each += 1)
      expect(await post(tooSmall, baseUrl)).toEqual({
        status: 0,
        body: '',
        sent: true,
        reason: 'the memory for answers in flight is full',
      })
  })

  test('an answer that is too long is cut', async () => {
    const server = await startHttpServer((_, answer) => answer.end(`{"a":"${'x'.repeat(10_000)}"}`))
    const baseUrl = `http://127.0.0.1:${server.port}`
    const { body } = await post(open(baseUrl, { bounds: { answerBytesMax: 1_000 } }), baseUrl)
    expect(body).toHaveLength(1_000)
  })
})

test('the end waits for the replies of the requests that were sent, and sends nothing more', async () => {
  let release: (() => void) | undefined
  const server = await startHttpServer((_, answer) => (release = () => answer.end('{}')))
  const baseUrl = `http://127.0.0.1:${server.port}`
  const exchange = open(baseUrl)
  const inFlight = post(exchange, baseUrl)
  await vi.waitFor(() => expect(server.requests).toBe(1))
  const closed = exchange.close()
  expect(await post(exchange, baseUrl)).toMatchObject({ status: 0, sent: false })
  release?.()
  expect(await inFlight).toEqual({ status: 200, body: '{}', sent: true })
  await closed
  expect(server.requests).toBe(1)
})

describe('the connector over HTTP', () => {
  const id = (digit: number): string => String(digit).repeat(32)
  const approved = (payment: object): string =>
    JSON.stringify({ paymentType: 'DB', amount: '92.00', currency: 'EUR', result: { code: '000.000.000' }, ...payment })

  const request = (): AcquirerRequest => ({
    transactionId: id(0),
    operation: 'DB',
    amountMinor: 9200,
    currency: 'EUR',
    brand: 'VISA',
    testMode: 'INTERNAL',
    descriptor: 'Shop',
    partialApproval: false,
    parameters: new Map(),
    secrets: new Map(),
    atMs: 0,
  })

  async function connect(baseUrl: string) {
    let attempts = 0
    const connector = createUpstreamConnector({
      name: 'upstream',
      baseUrl,
      entityId: id(8),
      accessToken: () => 'token',
      environment: 'test',
      verificationCurrency: 'EUR',
      exchange: open(baseUrl),
      newId: () => String(++attempts),
      now: () => 0,
      onAlert: () => undefined,
    })
    return async () => connector.send(request(), await connector.references?.(request()))
  }

  test('a payment is approved', async () => {
    const server = await startHttpServer((received, answer) => {
      const referenceIn = (text: string) => new URLSearchParams(text).get('merchantTransactionId')
      void textOf(received).then((text) =>
        answer.end(approved({ id: id(1), merchantTransactionId: referenceIn(text) })),
      )
    })
    const send = await connect(`http://127.0.0.1:${server.port}`)
    expect(await send()).toMatchObject({ status: 'approved', details: { ConnectorTxID1: id(1) } })
  })

  test('a second answer to one request is not that of the next one', async () => {
    let requests = 0
    const server = await startTcpServer((socket) =>
      socket.on('data', () => {
        requests += 1
        const answerOf = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`
        socket.write(answerOf(approved({ id: id(requests) })))
        socket.write(answerOf(approved({ id: id(9) })))
      }),
    )
    const send = await connect(`http://127.0.0.1:${server.port}`)
    expect([await send(), await send()]).toMatchObject([
      { details: { ConnectorTxID1: id(1) } },
      { details: { ConnectorTxID1: id(2) } },
    ])
  })
})
