import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, TLSSocket } from 'node:tls'
import type { AcquirerRequest } from '@tollgate/connectors'
import { Secret } from '@tollgate/contract'
import { ascii1987, createFrameReader, decodeMessage, encodeFrame, encodeMessage } from '@tollgate/iso8583'
import { afterEach, expect, test, vi } from 'vitest'
import { selfSignedCertificate } from '../../testing/certificate.ts'
import { hostSettings } from '../../testing/host-settings.ts'
import { testGateway, type TestGateway } from '../../testing/test-gateway.ts'
import type { RunningConnectors } from './running-connectors.ts'

const servers: Server[] = []
const sockets = new Set<Socket>()
const gateways: TestGateway[] = []

afterEach(async () => {
  for (const tollgate of gateways.splice(0)) {
    await tollgate.gateway.connectors.close()
    await tollgate.close()
  }
  for (const socket of sockets) socket.destroy()
  for (const server of servers.splice(0)) server.close()
})

/** A host that approves everything after a delay. It records the types of messages, and the names of clients. */
async function startHost({ delayMs = 0, secure = undefined as object | undefined } = {}) {
  const received: string[] = []
  const serve = (socket: Socket) => {
    const reader = createFrameReader('binary2')
    sockets.add(socket)
    if (socket instanceof TLSSocket) received.push(String(socket.getPeerCertificate().subject.CN))
    socket.on('error', () => undefined)
    socket.on('close', () => received.push('closed'))
    socket.on('data', (chunk: Buffer) => {
      for (const { bytes } of reader.push(chunk)) {
        const { type, fields } = decodeMessage(ascii1987, bytes)
        received.push(type)
        const answer = {
          type: `${type.slice(0, 2)}${type.endsWith('20') ? '30' : '10'}`,
          fields: { ...fields, 39: '00' },
        }
        const { 2: _number, 14: _expiry, ...rest } = answer.fields
        const send = () => socket.write(encodeFrame('binary2', encodeMessage(ascii1987, { ...answer, fields: rest })))
        if (type === '0800') send()
        else setTimeout(send, delayMs)
      }
    })
  }
  const server = secure ? createTlsServer(secure, serve) : createServer(serve)
  server.on('tlsClientError', () => undefined)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port }: AddressInfo = Object(server.address())
  return { port, received }
}

async function startGateway() {
  const tollgate = await testGateway()
  gateways.push(tollgate)
  tollgate.gateway.connectors.open()
  const { connectors } = tollgate.gateway
  const create = (members: object) =>
    tollgate.manage('POST', '/connectors', { name: 'acme', kind: 'iso8583', ...members })
  const change = (members: object) => tollgate.manage('PATCH', '/connectors/acme', members)
  const untilHealthy = (isHealthy = true) =>
    vi.waitFor(() => expect(connectors.find('acme')?.isHealthy).toBe(isHealthy), { timeout: 5_000 })
  return { ...tollgate, connectors, create, change, untilHealthy }
}

const sale = (): AcquirerRequest => ({
  transactionId: 'a'.repeat(32),
  operation: 'DB',
  amountMinor: 9200,
  currency: 'EUR',
  brand: 'VISA',
  testMode: 'EXTERNAL',
  descriptor: 'Shop',
  partialApproval: false,
  parameters: new Map(),
  secrets: new Map(),
  account: {
    kind: 'card',
    number: new Secret(Buffer.from('4200000000000000')),
    holder: undefined,
    expiryMonth: '05',
    expiryYear: '2034',
    cvv: undefined,
  },
  atMs: Date.UTC(2026, 4, 4),
})

async function sendTo({ connectors }: { readonly connectors: Pick<RunningConnectors, 'find'> }) {
  const connector = connectors.find('acme')?.connector
  if (connector?.kind !== 'remote') throw new Error('the connector is not running')
  return connector.send(sale(), await connector.references?.(sale()))
}

test('a connector signs on as soon as it is created, and its payments are answered', async () => {
  const host = await startHost()
  const gateway = await startGateway()
  await gateway.create({ settings: hostSettings(host.port) })
  await gateway.untilHealthy()
  expect(await sendTo(gateway)).toMatchObject({ status: 'approved' })
  expect(host.received).toEqual(['0800', '0200'])
})

test('a change of the address moves the connector without a gap, after the last answers of the old host', async () => {
  const [old, next] = [await startHost({ delayMs: 300 }), await startHost()]
  const gateway = await startGateway()
  await gateway.create({ settings: hostSettings(old.port) })
  await gateway.untilHealthy()
  const inFlight = sendTo(gateway)
  await vi.waitFor(() => expect(old.received).toContain('0200'))
  await gateway.change({ settings: hostSettings(next.port) })
  await vi.waitFor(() => expect(next.received).toContain('0800'))
  const outcomes = await Promise.all([inFlight, sendTo(gateway)])
  expect(outcomes).toMatchObject([{ status: 'approved' }, { status: 'approved' }])
  await vi.waitFor(() => expect(old.received.at(-1)).toBe('closed'))
  expect(await sendTo(gateway)).toMatchObject({ status: 'approved' })
  expect(next.received).toContain('0200')
})

test('a payment that has selected the connector before a change is still sent', async () => {
  const [old, next] = [await startHost(), await startHost()]
  const gateway = await startGateway()
  await gateway.create({ settings: hostSettings(old.port) })
  await gateway.untilHealthy()
  const selected = { connectors: { find: () => before } }
  const before = gateway.connectors.find('acme')
  await gateway.change({ settings: hostSettings(next.port) })
  await vi.waitFor(() => expect(gateway.connectors.find('acme')?.connector).not.toBe(before?.connector))
  expect(await sendTo(selected)).toMatchObject({ status: 'approved' })
  expect(old.received).toContain('0200')
})

test('a change of the state keeps the connections', async () => {
  const host = await startHost()
  const gateway = await startGateway()
  await gateway.create({ settings: hostSettings(host.port) })
  await gateway.untilHealthy()
  await gateway.change({ state: 'disabled' })
  expect(gateway.connectors.find('acme')).toMatchObject({ enabled: false, isHealthy: true })
  expect(await sendTo(gateway)).toMatchObject({ status: 'approved' })
  expect(host.received).not.toContain('closed')
})

test('a deletion ends the connections', async () => {
  const host = await startHost()
  const gateway = await startGateway()
  await gateway.create({ settings: hostSettings(host.port) })
  await gateway.untilHealthy()
  await gateway.manage('DELETE', '/connectors/acme')
  expect(gateway.connectors.find('acme')).toBeUndefined()
  await vi.waitFor(() => expect(host.received.at(-1)).toBe('closed'))
})

test('a rotation of the credentials connects with the new certificate', async () => {
  const server = selfSignedCertificate(['127.0.0.1', 'host.example'])
  const [first, second] = [selfSignedCertificate(['first.example']), selfSignedCertificate(['second.example'])]
  const host = await startHost({ secure: { ...server, ca: [first.cert, second.cert], requestCert: true } })
  const gateway = await startGateway()
  const settings = hostSettings(host.port, { tls: { ca: server.cert, serverName: 'host.example' } })
  await gateway.create({ settings })
  await vi.waitFor(() => expect(gateway.logged).toContainEqual(expect.objectContaining({ event: 'lost' })))
  await gateway.untilHealthy(false)
  for (const { cert, key } of [first, second])
    await gateway.manage('POST', '/connectors/acme/credentials', { credentials: { certificate: cert, key } })
  await vi.waitFor(() => expect(host.received).toContain('second.example'), { timeout: 8_000 })
  await vi.waitFor(() => expect(host.received).toContain('closed'), { timeout: 8_000 })
  await gateway.untilHealthy()
  expect(await sendTo(gateway)).toMatchObject({ status: 'approved' })
  expect(host.received.filter((entry) => entry.endsWith('.example'))).toEqual(['first.example', 'second.example'])
})

test('a host name that resolves to this machine is looked up and checked', async () => {
  const host = await startHost()
  const gateway = await startGateway()
  await gateway.create({ settings: hostSettings(host.port, { addresses: [{ host: 'localhost', port: host.port }] }) })
  await gateway.untilHealthy()
  expect(await sendTo(gateway)).toMatchObject({ status: 'approved' })
})

test('a stored connector that cannot be started is left out, and the reason is logged', async () => {
  const gateway = await startGateway()
  const { storage, ids, clock, connectorCache } = gateway.gateway
  const row = {
    id: 'later',
    kind: 'of-a-later-version',
    settings: '{}',
    sealed: null,
    wrapped_key: null,
    key_id: null,
    credentials_at_ms: null,
    state: 'enabled',
    created_at_ms: clock.now(),
    changed_at_ms: clock.now(),
    deleted_at_ms: null,
  }
  const sealed = { ...row, id: 'sealed', kind: 'iso8583', settings: JSON.stringify(hostSettings(7)) }
  const columns = { sealed: Uint8Array.of(1), wrapped_key: Uint8Array.of(2), key_id: 'kek-9', credentials_at_ms: 1 }
  await storage.commit({
    id: ids.ordered(),
    expectedVersions: [],
    rows: { connector: [row, { ...sealed, ...columns }] },
  })
  await connectorCache.reload()
  expect([gateway.connectors.find('later'), gateway.connectors.find('sealed')]).toEqual([undefined, undefined])
  expect(gateway.logged).toContainEqual({
    level: 'error',
    connector: 'later',
    event: 'not started',
    error: 'this version has no connectors of the kind of-a-later-version',
  })
  expect(gateway.logged).toContainEqual(expect.objectContaining({ connector: 'sealed', event: 'not started' }))
})
