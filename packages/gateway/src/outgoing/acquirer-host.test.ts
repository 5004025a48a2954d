import { createHash, X509Certificate } from 'node:crypto'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions, type TLSSocket } from 'node:tls'
import { type AcquirerHost, type IsoMessage, testHostProfile } from '@tollgate/connectors'
import { ascii1987, createFrameReader, decodeMessage, encodeFrame, encodeMessage } from '@tollgate/iso8583'
import type { LogFields } from '@tollgate/operations'
import { afterEach, expect, test, vi } from 'vitest'
import { createCounts } from '../metrics/counts.ts'
import { nodeEventLoop } from '../runtime/event-loop.ts'
import { selfSignedCertificate, type TestCertificate } from '../testing/certificate.ts'
import { createAcquirerHost } from './acquirer-host.ts'
import { dialLink, type LinkAddress, type LinkTls } from './dial-link.ts'

const servers: Server[] = []
const sockets = new Set<Socket>()
const hosts: AcquirerHost[] = []

afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()))
  for (const socket of sockets) socket.destroy()
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
})

const expired = selfSignedCertificate(['host.example'], [-30, -1])
const [server, client, other] = [
  selfSignedCertificate(['host.example', '127.0.0.1']),
  selfSignedCertificate(['gateway.example']),
  selfSignedCertificate(['other.example']),
]

/** The TLS of a link with the certificate of `client`, which trusts that of `server`. */
const linkTls = (changes: Partial<LinkTls> = {}): LinkTls => ({
  ca: server.cert,
  cert: client.cert,
  key: client.key,
  serverName: 'host.example',
  ...changes,
})

const keyDigest = ({ cert }: TestCertificate): string =>
  createHash('sha256')
    .update(new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64')

/** Answers every message of a connection with 00. */
function approveAll(socket: Socket): void {
  const reader = createFrameReader('binary2')
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => {
    for (const { bytes } of reader.push(chunk)) {
      const { type, fields } = decodeMessage(ascii1987, bytes)
      const answer = { type: `${type.slice(0, 2)}10`, fields: { ...fields, 39: '00' } }
      socket.write(encodeFrame('binary2', encodeMessage(ascii1987, answer)))
    }
  })
}

async function listen(listener: Server): Promise<number> {
  servers.push(listener)
  listener.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port }: AddressInfo = Object(listener.address())
  return port
}

/** A host that requires the certificate of `client`. */
const listenWithTls = (changes: TlsOptions = {}, serve: (socket: TLSSocket) => void = approveAll): Promise<number> => {
  const options = { ...server, ca: client.cert, requestCert: true, ...changes }
  return listen(createTlsServer(options, serve).on('tlsClientError', () => undefined))
}

/** The links to addresses of a host, and their log. Waits are ten times shorter than in the service. */
function connect(...addresses: readonly LinkAddress[]) {
  return connectWith(createCounts(), addresses)
}

function connectWith(counts: ReturnType<typeof createCounts>, addresses: readonly LinkAddress[]) {
  const lines: LogFields[] = []
  const record = (fields: LogFields) => void lines.push(fields)
  const log = { info: record, warn: record, error: record, flush: () => undefined }
  const startTimer: typeof nodeEventLoop.startTimer = (ms, onEnd) => nodeEventLoop.startTimer(ms / 10, onEnd)
  const eventLoop = { ...nodeEventLoop, startTimer }
  const clock = { now: () => Date.UTC(2026, 10, 20, 9, 30) }
  const parts = { eventLoop, clock, log, counts }
  const host = createAcquirerHost({ name: 'external', addresses, profile: testHostProfile, ...parts })
  hosts.push(host)
  host.open()
  const events = (event: string) => lines.filter((line) => line['event'] === event)
  const until = (event: string, count = 1) =>
    vi.waitFor(() => expect(events(event).length).toBeGreaterThanOrEqual(count), { timeout: 5_000 })
  return { host, lines, events, until, counts }
}

const linkTo = (port: number, tls?: LinkTls): LinkAddress => ({ host: '127.0.0.1', port, tls })

const request = (stan: string): IsoMessage => ({
  type: '0100',
  fields: { 3: '000000', 4: '000000009200', 7: '1120093000', 11: stan, 41: 'TERM0001' },
})

test.each([
  ['TLS 1.3', 'TLSv1.3'],
  ['TLS 1.2', 'TLSv1.2'],
] as const)('a link by mutual %s is ready, and its messages are answered', async (_, maxVersion) => {
  const subjects: unknown[] = []
  const port = await listenWithTls({ maxVersion }, (socket) => {
    subjects.push(socket.getProtocol(), socket.getPeerCertificate().subjectaltname)
    approveAll(socket)
  })
  const { host, until, lines } = connect(linkTo(port, linkTls({ pinnedKey: keyDigest(server) })))
  await until('ready')
  expect(await host.send(request('000001'))).toMatchObject({ kind: 'answer', message: { fields: { 39: '00' } } })
  expect(subjects).toEqual([maxVersion, 'DNS:gateway.example'])
  expect(lines).toEqual([{ acquirer: 'Tollgate test host', link: `127.0.0.1:${port}`, event: 'ready' }])
})

const CERTIFICATE = 'the certificate is not valid: '

// Columns: the fault, options of the host, changes of the link's TLS, the reason in the log.
test.each<readonly [string, TlsOptions, () => Partial<LinkTls>, string | RegExp]>([
  ['a certificate of another authority', { ...other }, () => ({}), `${CERTIFICATE}it is self-signed`],
  ['an expired certificate', { ...expired }, () => ({ ca: expired.cert }), `${CERTIFICATE}it has expired`],
  [
    'a certificate for another name',
    {},
    () => ({ serverName: 'other.example' }),
    `${CERTIFICATE}it is for another name`,
  ],
  ['a certificate without its address', {}, () => ({ serverName: undefined }), `${CERTIFICATE}it is for another name`],
  [
    'another key than the pinned one',
    {},
    () => ({ pinnedKey: keyDigest(other) }),
    'the key of the server is not the pinned key',
  ],
  ['a pinned key that is no digest', {}, () => ({ pinnedKey: 'abc' }), 'the key of the server is not the pinned key'],
  [
    'an outdated version of TLS',
    { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
    () => ({}),
    'the server requires another version of TLS',
  ],
])('a host with %s gets no message', async (_, options, changes, reason) => {
  const served = vi.fn<(socket: Socket) => void>()
  const port = await listenWithTls(options, (socket) => void socket.on('data', () => served(socket)))
  const { until, events, host } = connect(linkTo(port, linkTls(changes())))
  await until('lost', 2)
  expect(events('lost')[0]).toMatchObject({ error: reason })
  expect(events('ready')).toEqual([])
  expect(await host.send(request('000001'))).toMatchObject({ kind: 'notSent' })
  expect(served).not.toHaveBeenCalled()
})

test.each([
  ['of an unknown authority', other],
  ['that has expired', selfSignedCertificate(['gateway.example'], [-30, -1])],
])('a link with a certificate %s is disconnected by the host, and connects again', async (_, { cert, key }) => {
  const port = await listenWithTls({ ca: [client.cert, ...(cert === other.cert ? [] : [cert])] })
  const { until, events } = connect(linkTo(port, linkTls({ cert, key })))
  await until('lost', 3)
  expect(events('lost')[0]?.['error']).toMatch(/closed the connection|refused the certificate|was closed/)
  expect(events('ready')).toEqual([])
})

test('a host that does not speak TLS gets no message', async () => {
  const received: string[] = []
  const port = await listen(
    createTcpServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', (chunk) => {
        received.push(chunk.toString('latin1'))
        socket.end(Buffer.from([0, 4, 1, 2, 3, 4, 5, 6]))
      })
    }),
  )
  const { until, events } = connect(linkTo(port, linkTls()))
  await until('lost')
  expect(events('lost')[0]).toMatchObject({ error: 'the server does not speak TLS' })
  expect(received.join('')).not.toContain('0800')
})

test('a handshake that the host cuts off or never answers ends, and its socket is closed', async () => {
  const cutOff = await listen(
    createTcpServer((socket) => void socket.on('error', () => undefined).once('data', () => socket.destroy())),
  )
  await expect(dialLink(linkTo(cutOff, linkTls()), new AbortController().signal)).rejects.toThrow(/ECONNRESET|TLS/)
  let closed: Promise<unknown> | undefined
  const silent = await listen(
    createTcpServer((socket) => {
      closed = new Promise((resolve) => socket.on('error', () => undefined).on('close', resolve))
      socket.resume()
    }),
  )
  await expect(dialLink(linkTo(silent, linkTls()), AbortSignal.timeout(200))).rejects.toThrow(
    'the connection did not open in time',
  )
  await closed
})

test('while the link to one address is lost, requests are sent on the other', async () => {
  const [first, second] = [await listenWithTls(), await listenWithTls()]
  const { host, until, events } = connect(linkTo(1), linkTo(first, linkTls()), linkTo(second, linkTls()))
  await until('ready', 2)
  await until('lost')
  expect(events('lost')[0]).toMatchObject({ link: '127.0.0.1:1', error: 'the connection was refused' })
  const outcomes = await Promise.all(['000001', '000002'].map((stan) => host.send(request(stan))))
  expect(outcomes.map(({ kind }) => kind)).toEqual(['answer', 'answer'])
  servers[0]?.close()
  for (const socket of sockets) if (socket.localPort === first) socket.destroy()
  await vi.waitFor(() => expect(events('lost').some(({ link }) => link === `127.0.0.1:${first}`)).toBe(true))
  expect((await host.send(request('000003'))).kind).toBe('answer')
})

test('each link is tested by an echo, also while it connects for the first time', async () => {
  const port = await listen(createTcpServer(approveAll))
  const { host } = connect(linkTo(port), linkTo(1))
  for (let count = 0; count < 2; count += 1) {
    expect(await host.testConnections()).toEqual([
      { address: `127.0.0.1:${port}`, tookMs: expect.any(Number), failure: undefined },
      { address: '127.0.0.1:1', tookMs: expect.any(Number), failure: 'the connection was refused' },
    ])
  }
  await host.close()
  expect((await host.testConnections())[0]?.failure).toBe('the link was closed')
})

test('the links of a replaced connector leave those of its successor in the metrics', async () => {
  const port = await listen(createTcpServer(approveAll))
  const { host: replaced, until, counts } = connect(linkTo(port))
  await until('ready')
  const successor = connectWith(counts, [linkTo(port), linkTo(1)])
  await successor.until('ready')
  await replaced.close()
  expect(counts.acquirerLinks.get('external')?.()).toEqual([true, false])
  await successor.host.close()
  expect(counts.acquirerLinks.size).toBe(0)
})

test('a wait for a link ends when one is ready, or when it is aborted', async () => {
  const port = await listen(createTcpServer(approveAll))
  const { host, events } = connect(linkTo(port))
  expect(await host.untilReady()).toBe(false)
  expect(await host.untilReady(AbortSignal.abort())).toBe(false)
  expect(await host.untilReady(new AbortController().signal)).toBe(true)
  expect(events('ready')).toHaveLength(1)
  expect(await host.untilReady(AbortSignal.abort())).toBe(true)
  const { host: lost } = connect(linkTo(1))
  expect(await lost.untilReady(AbortSignal.timeout(50))).toBe(false)
})

test('an answer without its request is logged with its type, terminal, trace number and time only', async () => {
  const port = await listen(
    createTcpServer((socket) => {
      approveAll(socket)
      socket.on('data', () => {
        const number = Uint8Array.from(Buffer.from('4200000000000000'))
        const fields = { 2: number, 4: '000000009200', 7: '1120093000', 11: '000777', 39: '00', 41: 'TERM0009' }
        socket.write(encodeFrame('binary2', encodeMessage(ascii1987, { type: '0110', fields })))
      })
    }),
  )
  const { until, events } = connect(linkTo(port))
  await until('unmatched')
  expect(events('unmatched')[0]).toEqual({
    acquirer: 'Tollgate test host',
    link: `127.0.0.1:${port}`,
    event: 'unmatched',
    type: '0110',
    terminal: 'TERM0009',
    trace: '000777',
    sentAt: '1120093000',
  })
})

// Columns: field 70 of the host's request, field 39 of the answer, the event in the log.
test.each([
  ['301', '00', undefined],
  ['201', '00', 'cutover'],
  ['002', '00', 'signedOff'],
  ['161', '40', undefined],
] as const)('the network request %s of a host is answered with %s', async (code, response, event) => {
  const answers: IsoMessage[] = []
  const port = await listen(
    createTcpServer((socket) => {
      const reader = createFrameReader('binary2')
      approveAll(socket)
      socket.once('data', () => {
        const fields = { 7: '1120093000', 11: '000777', 12: '093000', 13: '1120', 32: '400123', 70: code }
        socket.write(encodeFrame('binary2', encodeMessage(ascii1987, { type: '0800', fields })))
      })
      socket.prependListener('data', (chunk: Buffer) => {
        for (const { bytes } of reader.push(Buffer.from(chunk))) answers.push(decodeMessage(ascii1987, bytes))
      })
    }),
  )
  const { host, events } = connect(linkTo(port))
  const answered = await vi.waitFor(
    () => answers.find(({ type }) => type === '0810') ?? expect.fail('there is no answer'),
  )
  const repeated = { 7: '1120093000', 11: '000777', 12: '093000', 13: '1120', 32: '400123', 70: code }
  expect(answered.fields).toEqual({ ...repeated, 39: response })
  if (event !== undefined) await vi.waitFor(() => expect(events(event)).toHaveLength(1))
  await vi.waitFor(() => expect(host.isReady()).toBe(event !== 'signedOff'))
})

test('messages are counted by type and outcome, answers are timed, and links have states', async () => {
  const port = await listen(createTcpServer(approveAll))
  const { host, until, counts } = connect(linkTo(port), linkTo(1))
  const messages = () => counts.acquirerMessages.entries().map(({ labels, count }) => [...labels, count])
  expect((await host.send({ ...request('000001'), type: '0200' })).kind).toBe('notSent')
  await until('ready')
  expect(counts.acquirerLinks.get('external')?.()).toEqual([true, false])
  for (const stan of ['000002', '000003']) await host.send(request(stan))
  // `approveAll` answers with the type 0410, which is no answer to an advice.
  const unanswered = host.send({ ...request('000004'), type: '0420' })
  for (const socket of sockets) socket.destroy()
  await unanswered
  expect(messages()).toEqual([
    ['external', '0200', 'not_sent', 1],
    ['external', '0100', 'answered', 2],
    ['external', '0420', 'unanswered', 1],
  ])
  expect(counts.acquirerTimes.entries()).toMatchObject([{ label: 'external', sumMs: expect.any(Number) }])
  expect(counts.acquirerTimes.entries()[0]?.counts.reduce((sum, count) => sum + count)).toBe(2)
  await host.close()
  expect(counts.acquirerLinks.size).toBe(0)
})
