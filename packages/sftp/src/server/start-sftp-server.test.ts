import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import ssh2 from 'ssh2'
import { afterEach, expect, test } from 'vitest'
import type { ServerLimits } from '../limits.ts'
import { openFlags, requestTypes } from '../protocol/constants.ts'
import { createPacketReader, encode, encodePacket } from '../protocol/packets.ts'
import { createManualTimers } from '../testing/manual-timers.ts'
import { memoryTree } from '../testing/memory-tree.ts'
import { connectRaw, newKeys, openChannel, openRawSession, type RawSession } from '../testing/raw-client.ts'
import { type SftpServer, type SftpServerEvent, startSftpServer } from './start-sftp-server.ts'

// Hostile clients. The tests of OpenSSH's client contain the usual operation.

const [hostKey, user, other] = [newKeys(), newKeys(), newKeys()]
const { bytes, uint32, uint64 } = encode
let server: SftpServer
let events: SftpServerEvent[]
let reads = 0

async function start(limits: Partial<ServerLimits> = {}) {
  const timers = createManualTimers()
  events = []
  reads = 0
  server = await startSftpServer({
    hostKeys: [hostKey.privateKey],
    users: (name) => (name === 'shop' ? { publicKeys: [user.publicKey], root: '/shop' } : undefined),
    tree: memoryTree({ 'a.csv': Buffer.alloc(10_000_000) }, () => {
      reads += 1
    }),
    listen: { port: 0, host: '127.0.0.1' },
    limits,
    timers,
    onEvent: (event) => events.push(event),
  })
  return timers
}

const closed = (client: ssh2.Client): Promise<void> => new Promise((resolve) => client.on('close', resolve))

/** Opens a file. @returns its handle */
async function openFile({ request }: RawSession): Promise<Buffer> {
  const answer = createPacketReader(await request(requestTypes.OPEN, bytes('a.csv'), uint32(1), uint32(0)))
  answer.uint8()
  answer.uint32()
  return answer.bytes()
}

const connected = () => connectRaw(server.port, 'shop', user.privateKey)

/** The reasons for which connections have ended so far. */
const reasons = () => events.flatMap((event) => (event.kind === 'ended' ? [event.reason] : []))

async function connectSocket(): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1').on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** The server must serve a further client. */
async function expectAlive(): Promise<void> {
  const client = await connected()
  const { channel } = await openRawSession(client)
  channel.destroy()
  client.destroy()
}

afterEach(() => server.close())

test.each([
  ['random bytes', Buffer.alloc(100_000, 0xa5)],
  ['a line without an end', Buffer.alloc(1_000_000, 'x')],
  ['many lines', Buffer.from('x\r\n'.repeat(10_000))],
  ['a version 1', Buffer.from('SSH-1.5-old\r\n')],
  ['a packet of 4 GiB', Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), Buffer.alloc(64, 0xff)])],
  ['an empty packet', Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), Buffer.alloc(64)])],
  ['a web request', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
])('%s: the connection ends', async (_, sent) => {
  const timers = await start()
  const socket = await connectSocket()
  socket.resume()
  socket.write(sent)
  await expect.poll(() => server.connections()).toBe(1)
  timers.advance(20_000)
  await expect.poll(() => server.connections()).toBe(0)
  await expectAlive()
})

test('a connection that sends nothing, or only its version, is ended', async () => {
  const timers = await start()
  const [silent, slow] = [await connectSocket(), await connectSocket()]
  slow.write('SSH-2.0-x\r\n')
  await expect.poll(() => server.connections()).toBe(2)
  timers.advance(19_999)
  expect(server.connections()).toBe(2)
  timers.advance(1)
  expect(reasons()).toEqual(['authenticationTimeout', 'authenticationTimeout'])
  silent.destroy()
  slow.destroy()
})

test('a connection without requests is ended, and each request extends it', async () => {
  const timers = await start()
  const client = await connected()
  const { request } = await openRawSession(client)
  for (let round = 0; round < 3; round++) {
    timers.advance(200_000)
    await request(requestTypes.STAT, bytes('a.csv'))
    await expect.poll(() => server.connections()).toBe(1)
  }
  timers.advance(300_000)
  expect(reasons()).toEqual(['idle'])
})

test('connections are bounded, altogether and per address', async () => {
  await start({ connectionsMax: 3, connectionsPerAddressMax: 2 })
  const sockets = [await connectSocket(), await connectSocket()]
  await expect.poll(() => server.connections()).toBe(2)
  const third = await connectSocket()
  await once(third.resume(), 'close')
  expect(events).toEqual([{ kind: 'rejected', address: '127.0.0.1' }])
  sockets[0]?.destroy()
  await expect.poll(() => server.connections()).toBe(1)
  await expectAlive()
  sockets[1]?.destroy()
})

test('connections of a user are bounded', async () => {
  await start({ connectionsPerUserMax: 1 })
  const first = await connected()
  await expect(connected()).rejects.toThrow()
  expect(reasons()).toEqual(['connectionsPerUserMax'])
  const ended = closed(first)
  first.end()
  await ended
  await expectAlive()
})

test('connections of an address that end without authentication are bounded in a window', async () => {
  const timers = await start({ failuresPerAddressMax: 2, failuresWindowMs: 60_000 })
  for (const failures of [1, 2]) {
    const socket = await connectSocket()
    await expect.poll(() => server.connections()).toBe(1)
    socket.destroy()
    await expect.poll(() => reasons()).toHaveLength(failures)
  }
  await once((await connectSocket()).resume(), 'close')
  expect(events.at(-1)).toEqual({ kind: 'rejected', address: '127.0.0.1' })
  timers.advance(60_001)
  await expectAlive()
})

test('connections of a login are ended on request', async () => {
  await start()
  const client = await connected()
  const ended = closed(client)
  const login = events.find((event) => event.kind === 'authenticated')
  expect(login).toMatchObject({ user: 'shop', fingerprint: expect.stringMatching(/^SHA256:/) })
  server.endConnections(({ user: name }) => name === 'another')
  expect(server.connections()).toBe(1)
  server.endConnections(({ fingerprint }) => fingerprint === login?.fingerprint)
  await ended
  expect(server.connections()).toBe(0)
})

test('a known and an unknown user are refused alike', async () => {
  await start()
  const errors = await Promise.all(
    ['shop', 'unknown', 'x'.repeat(5_000)].map((name) =>
      connectRaw(server.port, name, other.privateKey).catch((error: unknown) => error),
    ),
  )
  expect(new Set(errors.map(String))).toEqual(new Set(['Error: All configured authentication methods failed']))
  await expect.poll(() => events.filter(({ kind }) => kind === 'refused')).toHaveLength(3)
})

test('authentication requests are bounded', async () => {
  await start({ authenticationsMax: 3 })
  const client = new ssh2.Client().on('error', () => undefined)
  let attempts = 0
  client.connect({
    host: '127.0.0.1',
    port: server.port,
    username: 'shop',
    authHandler(_methods, _partial, next) {
      attempts += 1
      next({ type: 'password', username: 'shop', password: `guess ${attempts}` })
    },
  })
  await closed(client)
  expect(attempts).toBe(4)
  expect(reasons()).toEqual(['authenticationsMax'])
})

test.each([
  ['an empty packet', uint32(0)],
  ['a packet of 4 GiB', uint32(0xffffffff)],
  ['a packet of 2 GiB', uint32(0x80000000)],
  ['a packet that is a byte too long', uint32(34_001)],
  ['no INIT', encodePacket(requestTypes.STAT, uint32(1), bytes('a.csv'))],
  ['a second INIT', Buffer.concat([encodePacket(requestTypes.INIT, uint32(3)), encodePacket(1, uint32(3))])],
  [
    'a string that is longer than its packet',
    Buffer.concat([
      encodePacket(requestTypes.INIT, uint32(3)),
      encodePacket(requestTypes.STAT, uint32(1), uint32(0xfffffff0)),
    ]),
  ],
])('%s in the subsystem: the connection ends', async (_, sent) => {
  await start()
  const client = await connected()
  const channel = await openChannel(client)
  channel.write(sent)
  await closed(client)
  expect(reasons()).toEqual(['protocol'])
  await expectAlive()
})

test('random bytes in the subsystem do not end the server', async () => {
  await start()
  for (let round = 0; round < 10; round++) {
    const client = await connected()
    const channel = await openChannel(client)
    channel.on('error', () => undefined)
    channel.end(Buffer.from(Array.from({ length: 2_000 }, (_, index) => (index * 7919 * (round + 1)) % 256)))
    await closed(client)
  }
  await expectAlive()
})

test.each([
  '../../etc/passwd',
  '/shop/a.csv/../../x',
  '..\\a.csv',
  'a.csv\0',
  '//shop//',
  '/%2e%2e/x',
  'x'.repeat(9_000),
])('the path %j leads nowhere', async (path) => {
  await start()
  const client = await connected()
  const { request } = await openRawSession(client)
  const answer = createPacketReader(await request(requestTypes.OPEN, bytes(path), uint32(openFlags.READ), uint32(0)))
  expect([answer.uint8(), answer.uint32(), answer.uint32()]).toEqual([101, 1, 2])
  client.destroy()
})

test('a client has one session at a time, and may open another one', async () => {
  await start()
  const client = await connected()
  const first = await openChannel(client)
  await expect(openChannel(client)).rejects.toThrow('open failure')
  first.resume().close()
  await once(first, 'close')
  await openRawSession(client)
  client.destroy()
})

test('a client gets no shell, command, terminal or forwarding', async () => {
  await start()
  const client = await connected()
  const refusal = (attempt: (done: (error: Error | undefined) => void) => void): Promise<string> =>
    new Promise((resolve) => attempt((error) => resolve(error?.message ?? 'accepted')))
  expect(await refusal((done) => client.exec('id', (error) => done(error)))).toMatch(/Unable to exec/)
  expect(await refusal((done) => client.shell((error) => done(error)))).toMatch(/Unable|denied|open failure/i)
  expect(await refusal((done) => client.exec('id', { pty: true }, (error) => done(error)))).toMatch(/Unable|failure/)
  expect(await refusal((done) => client.subsys('netconf', (error) => done(error)))).toMatch(/Unable|failure/)
  expect(await refusal((done) => client.forwardIn('127.0.0.1', 0, (error) => done(error)))).toMatch(/Unable to bind/)
  expect(
    await refusal((done) => client.forwardOut('127.0.0.1', 1, '127.0.0.1', server.port, (error) => done(error))),
  ).toMatch(/Channel open failure/)
  expect(await refusal((done) => client.openssh_forwardOutStreamLocal('/run/x', (error) => done(error)))).toMatch(
    /Channel open failure|OpenSSH/,
  )
  client.destroy()
})

test('a client that reads no answers is not served further', async () => {
  await start({ bytesPerSecondMax: Number.MAX_SAFE_INTEGER })
  const client = await connected()
  const session = await openRawSession(client)
  const handle = await openFile(session)
  const { channel } = session
  channel.pause()
  channel.removeAllListeners('data')
  for (let id = 0; id < 1_000; id++)
    channel.write(encodePacket(requestTypes.READ, uint32(id), bytes(handle), uint64(0), uint32(32_768)))
  await expect.poll(() => reads).toBeGreaterThan(10)
  await new Promise((resolve) => setTimeout(resolve, 300))
  // The window of the client is 2 MiB.
  expect(reads).toBeLessThan(150)
  expect(server.connections()).toBe(1)
  client.destroy()
  await expect.poll(() => server.connections()).toBe(0)
})

test('the data of a session is throttled', async () => {
  const timers = await start({ bytesPerSecondMax: 65_536, burstMs: 0 })
  const client = await connected()
  const session = await openRawSession(client)
  const handle = await openFile(session)
  const read = () => session.request(requestTypes.READ, bytes(handle), uint64(0), uint32(32_768))
  for (let round = 0; round < 3; round++) {
    let isRead = false
    const answer = read().finally(() => {
      isRead = true
    })
    await expect.poll(() => reads).toBe(round + 1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    timers.advance(499)
    expect(isRead).toBe(false)
    timers.advance(1)
    await answer
  }
  client.destroy()
})

test('key exchanges are bounded', async () => {
  await start()
  const client = await connected()
  client.on('error', () => undefined)
  let exchanges = 0
  client.on('handshake', () => {
    exchanges += 1
    rekey(client)
  })
  rekey(client)
  await closed(client)
  expect(reasons()).toEqual(['keyExchangesMax'])
  expect(exchanges).toBeGreaterThan(5)
  expect(exchanges).toBeLessThan(15)
})

/** Starts a key exchange, for which ssh2's client has no public method. */
function rekey(client: ssh2.Client): void {
  const protocol: unknown = Reflect.get(client, '_protocol')
  if (typeof protocol !== 'object' || protocol === null) throw new Error('ssh2 has no protocol')
  const method: unknown = Reflect.get(protocol, 'rekey')
  if (typeof method === 'function') Reflect.apply(method, protocol, [])
}

test.each([
  ['an RSA key', ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 }).private],
  ['a public key', newKeys().publicKey],
  ['no key', 'x'],
])('%s is no host key', async (_, key) => {
  await start()
  const options = { users: () => undefined, tree: memoryTree({}), listen: { port: 0, host: '127.0.0.1' } }
  await expect(startSftpServer({ ...options, hostKeys: [key] })).rejects.toThrow('host key')
})
