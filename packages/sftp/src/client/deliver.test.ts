import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type SftpServer, startSftpServer } from '../server/start-sftp-server.ts'
import { newKeys } from '../testing/raw-client.ts'
import { directoryTree, type DirectoryTreeOptions } from '../tree/directory-tree.ts'
import { connectSftp, type SftpClient } from './connect-sftp.ts'

// The client against the server of this package, whose folder clients may change.

const [hostKey, user] = [newKeys(), newKeys()]
let home: string
let server: SftpServer
/** The bytes after which the next connection is closed. */
let closeAfterBytes: number | undefined

async function start(options: DirectoryTreeOptions = { access: 'read-write' }): Promise<void> {
  server = await startSftpServer({
    hostKeys: [hostKey.privateKey],
    users: () => ({ publicKeys: [user.publicKey], root: '/drop' }),
    tree: await directoryTree(home, options),
    listen: { port: 0, host: '127.0.0.1' },
    faults: { closeAfterBytes: () => closeAfterBytes },
  })
}

beforeEach(() => {
  closeAfterBytes = undefined
  home = mkdtempSync(join(tmpdir(), 'drop-'))
  mkdirSync(join(home, 'drop/in'), { recursive: true })
})

afterEach(async () => {
  await server.close()
  rmSync(home, { recursive: true })
})

async function connected(): Promise<SftpClient> {
  const { value, error } = await connectSftp({
    host: '127.0.0.1',
    port: server.port,
    username: 'shop',
    hostKeys: [hostKey.publicKey],
    credentials: { kind: 'key', privateKey: user.privateKey },
    open: () => Promise.resolve(connect({ port: server.port, host: '127.0.0.1', noDelay: true })),
    limits: { handshakeMs: 100_000, answerMs: 100_000 },
  })
  if (value === undefined) throw new Error(error?.message)
  return value
}

const sourceOf = (content: Buffer) => ({
  sizeBytes: content.length,
  async *read(from: number) {
    yield await Promise.resolve(content.subarray(from))
  },
})

const names = () => readdirSync(join(home, 'drop/in')).toSorted()

test('a delivery that the server breaks off is resumed', async () => {
  await start()
  const content = randomBytes(2_000_000)
  closeAfterBytes = 1_200_000
  const first = await connected()
  expect(await first.deliver('/in/a.csv', sourceOf(content), 'd1')).toMatchObject({ error: { kind: 'closed' } })
  expect(names()).toEqual(['.a.csv.d1.part'])
  closeAfterBytes = undefined
  const second = await connected()
  const { value } = await second.deliver('/in/a.csv', sourceOf(content), 'd1')
  expect(value?.wasThere).toBe(false)
  expect(value?.sentBytes).toBeLessThan(content.length)
  expect(readFileSync(join(home, 'drop/in/a.csv')).equals(content)).toBe(true)
  expect(names()).toEqual(['a.csv'])
  expect(await second.deliver('/in/a.csv', sourceOf(content), 'd1')).toEqual({
    value: { sentBytes: 0, wasThere: true },
  })
  await second.close()
})

test('a server without space is an error, and shows no part of the file', async () => {
  await start({ access: 'read-write', spaceBytes: 100_000 })
  const client = await connected()
  expect(await client.deliver('in/a.csv', sourceOf(randomBytes(200_000)), 'd1')).toMatchObject({
    error: { kind: 'noSpace' },
  })
  expect(names()).toEqual(['.a.csv.d1.part'])
  await client.close()
})

test('a file is written below the root only', async () => {
  await start()
  const client = await connected()
  const content = Buffer.from('x')
  expect(await client.deliver('../../../a.csv', sourceOf(content), 'd1')).toMatchObject({ value: { sentBytes: 1 } })
  expect(existsSync(join(home, 'drop/a.csv'))).toBe(true)
  expect(readdirSync(home)).toEqual(['drop'])
  for (const path of ['..\\a.csv', '/missing/a.csv'])
    expect(await client.deliver(path, sourceOf(content), 'd1')).toMatchObject({ error: { kind: 'noSuchFile' } })
  for (const path of ['/in/', '', 'a\0', `in/${'x'.repeat(250)}`])
    expect(await client.deliver(path, sourceOf(content), 'd1')).toMatchObject({ error: { kind: 'invalid' } })
  await client.close()
})

test('a read-only server refuses a delivery', async () => {
  await start({ access: 'read' })
  const client = await connected()
  expect(await client.deliver('in/a.csv', sourceOf(Buffer.from('x')), 'd1')).toMatchObject({
    error: { kind: 'permission' },
  })
  expect(await client.rename('in', 'out')).toMatchObject({ error: { kind: 'permission' } })
  expect(names()).toEqual([])
  await client.close()
})

test('a file is fetched while its folder is listed', async () => {
  await start()
  const content = randomBytes(700_001)
  writeFileSync(join(home, 'drop/in/a.csv'), content)
  const client = await connected()
  const chunks: Buffer[] = []
  const [fetched, listed] = await Promise.all([
    client.fetch('in/a.csv', (chunk) => void chunks.push(chunk), content.length),
    client.list('in'),
  ])
  expect(fetched).toEqual({ value: content.length })
  expect(Buffer.concat(chunks).equals(content)).toBe(true)
  expect(listed.value).toMatchObject([{ name: 'a.csv', kind: 'file', sizeBytes: content.length }])
  await client.close()
})

test('a closed client can do nothing further', async () => {
  await start()
  const client = await connected()
  await client.close()
  expect(await client.list('.')).toMatchObject({ error: { kind: 'closed' } })
})
