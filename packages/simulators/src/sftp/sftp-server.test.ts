import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectSftp } from '@tollgate/sftp'
import { newKeys } from '@tollgate/sftp/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type RunningSimulators, startSimulators } from '../start-simulators.ts'

const keys = newKeys()
let folder = ''
let running: RunningSimulators | undefined
const nowMs = Date.parse('2026-11-20T09:00:00Z')

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-sftp-'))
})
afterEach(async () => {
  await running?.close()
  rmSync(folder, { recursive: true })
})

async function start() {
  running = await startSimulators({
    host: '127.0.0.1',
    port: 0,
    acquirerPort: 0,
    clock: { now: () => nowMs },
    sftp: { port: 0, folder, publicKeys: [keys.publicKey] },
  })
  if (!running.sftp) throw new Error('there is no SFTP server')
  return running.sftp
}

async function connected(username: string, privateKey = keys.privateKey) {
  const { address, hostKey } = await start()
  return connectSftp({
    ...address,
    username,
    hostKeys: [hostKey],
    credentials: { kind: 'key', privateKey },
    open: () => Promise.resolve(connect(address.port, address.host)),
    limits: { handshakeMs: 60_000 },
  })
}

async function clientOf(username: string) {
  const { value, error } = await connected(username)
  if (!value) throw new Error(error.message)
  return value
}

const contentOf = (text: string) => ({
  sizeBytes: text.length,
  async *read(from: number) {
    yield Buffer.from(text).subarray(from)
  },
})

test('the user `settlement` reads the settlement files, and changes none', async () => {
  const client = await clientOf('settlement')
  writeFileSync(join(folder, 'settlement/TOLLGATE-20261120.csv'), 'one')
  expect((await client.list('.')).value).toMatchObject([{ name: 'TOLLGATE-20261120.csv', kind: 'file', sizeBytes: 3 }])
  const chunks: Buffer[] = []
  await client.fetch('TOLLGATE-20261120.csv', (chunk) => void chunks.push(chunk), 10)
  expect(Buffer.concat(chunks).toString()).toBe('one')
  for (const { error } of [
    await client.remove('TOLLGATE-20261120.csv'),
    await client.rename('TOLLGATE-20261120.csv', 'read.csv'),
    await client.deliver('new.csv', contentOf('two'), 'd1'),
  ])
    expect(error).toMatchObject({ kind: 'permission' })
  expect(readdirSync(join(folder, 'settlement'))).toEqual(['TOLLGATE-20261120.csv'])
})

test('the user `records` receives files, and sees neither the other folder nor the host key', async () => {
  const client = await clientOf('records')
  expect(await client.deliver('record.csv', contentOf('one'), 'd1')).toMatchObject({ value: { sentBytes: 3 } })
  expect(readFileSync(join(folder, 'records/record.csv'), 'utf8')).toBe('one')
  for (const path of ['../host-key', '/host-key', '../settlement', '/settlement'])
    expect((await client.fetch(path, () => undefined, 10_000)).error).toMatchObject({ kind: 'noSuchFile' })
})

test.each([
  ['another user', 'root', keys.privateKey],
  ['another key', 'settlement', newKeys().privateKey],
])('%s is refused', async (_, username, privateKey) => {
  expect((await connected(username, privateKey)).error).toMatchObject({ kind: 'authentication' })
})

test('the host key stays the same', async () => {
  const { hostKey } = await start()
  await running?.close()
  expect((await start()).hostKey).toBe(hostKey)
})
