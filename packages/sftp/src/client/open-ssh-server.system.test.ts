import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKeyPair, hasOpenSsh, openSsh, runProgram } from '../testing/open-ssh.ts'
import { type OpenSshServer, startOpenSshServer } from '../testing/open-ssh-server.ts'
import { type BreakingProxy, startProxy } from '../testing/proxy.ts'
import { connectSftp, type SftpClient } from './connect-sftp.ts'
import type { DeliverySource } from './deliver.ts'
import type { SftpOptions } from './sftp-options.ts'

// The client against OpenSSH's own server.

const canRun = hasOpenSsh()
let server: OpenSshServer
let proxy: BreakingProxy

beforeAll(async () => {
  if (!canRun) return
  server = await startOpenSshServer()
  proxy = await startProxy(server.port)
})

afterAll(async () => {
  if (!canRun) return
  await proxy.close()
  await server.close()
})

const optionsOf = (options: Partial<SftpOptions> = {}): SftpOptions => ({
  host: '127.0.0.1',
  port: server.port,
  username: server.username,
  hostKeys: [server.hostKey.publicKey],
  credentials: { kind: 'key', privateKey: server.userKey.privateKey },
  open: () => Promise.resolve(connect({ port: proxy.port, host: '127.0.0.1', noDelay: true })),
  // Machines of tests can be slow.
  limits: { handshakeMs: 60_000 },
  ...options,
})

/** Connects, or fails the test. */
async function connected(options: Partial<SftpOptions> = {}): Promise<SftpClient> {
  const { value, error } = await connectSftp(optionsOf(options))
  expect(error).toBeUndefined()
  if (value === undefined) throw new Error('there is no connection')
  return value
}

/** A source of the bytes; counts how many are read. */
function sourceOf(content: Buffer) {
  const source = {
    readBytes: 0,
    sizeBytes: content.length,
    async *read(from: number) {
      for (let position = from; position < content.length; position += 10_000) {
        const chunk = content.subarray(position, position + 10_000)
        source.readBytes += chunk.length
        yield chunk
      }
    },
  } satisfies DeliverySource & { readBytes: number }
  return source
}

const pathOf = (name: string): string => join(server.folder, name)

describe.runIf(canRun)("OpenSSH's server", () => {
  test('receives a file, which is fetched, listed, renamed and removed', async () => {
    const client = await connected()
    const content = randomBytes(1_000_003)
    expect(await client.deliver('report.csv', sourceOf(content), 'd1')).toEqual({
      value: { sentBytes: content.length, wasThere: false },
    })
    expect(readFileSync(pathOf('report.csv')).equals(content)).toBe(true)
    const chunks: Buffer[] = []
    expect(await client.fetch('report.csv', (chunk) => void chunks.push(chunk), 1_000_003)).toEqual({
      value: content.length,
    })
    expect(Buffer.concat(chunks).equals(content)).toBe(true)
    mkdirSync(pathOf('folder'))
    const listed = await client.list('.')
    const entries = listed.value?.map(({ name, kind, sizeBytes }) => ({ name, kind, sizeBytes }))
    expect(entries?.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: 'folder', kind: 'folder', sizeBytes: statSync(pathOf('folder')).size },
      { name: 'report.csv', kind: 'file', sizeBytes: content.length },
    ])
    expect(await client.rename('report.csv', 'folder/moved.csv')).toEqual({ value: undefined })
    expect(await client.remove('folder/moved.csv')).toEqual({ value: undefined })
    expect(readdirSync(pathOf('folder'))).toEqual([])
    await client.close()
  })

  test('receives an empty file', async () => {
    const client = await connected()
    expect(await client.deliver('empty.csv', sourceOf(Buffer.alloc(0)), 'd2')).toEqual({
      value: { sentBytes: 0, wasThere: false },
    })
    expect(readFileSync(pathOf('empty.csv'))).toHaveLength(0)
    await client.close()
  })

  test('has an identical target: it is delivered; with another content: it stays', async () => {
    const client = await connected()
    const content = randomBytes(100_000)
    writeFileSync(pathOf('same.csv'), content)
    writeFileSync(pathOf('.same.csv.d3.part'), 'left over')
    expect(await client.deliver('same.csv', sourceOf(content), 'd3')).toEqual({
      value: { sentBytes: 0, wasThere: true },
    })
    expect(existsSync(pathOf('.same.csv.d3.part'))).toBe(false)
    for (const other of [randomBytes(100_000), randomBytes(99_999), Buffer.concat([content, Buffer.from('x')])])
      expect(await client.deliver('same.csv', sourceOf(other), 'd4')).toMatchObject({ error: { kind: 'exists' } })
    expect(readFileSync(pathOf('same.csv')).equals(content)).toBe(true)
    await client.close()
  })

  test.each([
    ['a fingerprint', () => createKeyPair(server.folder, 'a').publicKey],
    ['a key of another type', () => createKeyPair(server.folder, 'b', '-t', 'ecdsa').publicKey],
  ])('with another host key than %s is refused before it sees an authentication', async (_, pin) => {
    const before = server.log().length
    const { error } = await connectSftp(optionsOf({ hostKeys: [pin()] }))
    expect(error?.kind).toMatch(/^(?:hostKey|protocol)$/)
    await expect.poll(() => server.log().slice(before)).toMatch(/closed by|disconnect|no matching|Unable/i)
    expect(server.log().slice(before)).not.toMatch(/userauth|Failed|Accepted|Postponed/)
  })

  test('is accepted by its fingerprint', async () => {
    const { output } = await runProgram(openSsh.keygen, ['-l', '-f', server.hostKey.path])
    const client = await connected({ hostKeys: [/SHA256:\S+/.exec(output)?.[0] ?? ''] })
    await client.close()
  })

  test('does not accept another key', async () => {
    const { privateKey } = createKeyPair(server.folder, 'stranger')
    const { error } = await connectSftp(optionsOf({ credentials: { kind: 'key', privateKey } }))
    expect(error).toEqual({ kind: 'authentication', message: 'The server did not accept the credentials.' })
  })

  test.each([
    ['rsa', '-t', 'rsa', '-b', '2048'],
    ['ecdsa', '-t', 'ecdsa', '-b', '384'],
  ])('accepts a key of the type %s', async (name, ...options) => {
    const { privateKey, publicKey } = createKeyPair(server.folder, `user-${name}`, ...options)
    const allowed = join(server.folder, '../authorized-keys')
    writeFileSync(allowed, `${readFileSync(allowed, 'utf8')}${publicKey}\n`)
    const client = await connected({ credentials: { kind: 'key', privateKey } })
    await client.close()
  })

  test('receives the rest of a file whose delivery was broken off', async () => {
    const content = randomBytes(4_000_000)
    for (const [attempt, bytes] of [1_500_000, 1_200_000].entries()) {
      proxy.breakAfter(bytes)
      const client = await connected()
      const { error } = await client.deliver('resumed.csv', sourceOf(content), 'd5')
      expect(error, `attempt ${attempt}`).toMatchObject({ kind: 'closed' })
      expect(existsSync(pathOf('resumed.csv'))).toBe(false)
      await expect.poll(() => statSync(pathOf('.resumed.csv.d5.part')).size).toBeGreaterThan(600_000)
    }
    // The server may still write what it has received.
    await delay(500)
    const client = await connected()
    const { value } = await client.deliver('resumed.csv', sourceOf(content), 'd5')
    expect(value?.sentBytes).toBeLessThan(3_300_000)
    expect(value?.sentBytes).toBeGreaterThan(1_000_000)
    expect(readFileSync(pathOf('resumed.csv')).equals(content)).toBe(true)
    expect(existsSync(pathOf('.resumed.csv.d5.part'))).toBe(false)
    await client.close()
  })

  test('has a part with another content: the delivery starts again', async () => {
    const content = randomBytes(2_000_000)
    const part = Buffer.from(content.subarray(0, 1_500_000))
    part[700_000] = (part[700_000] ?? 0) ^ 1
    writeFileSync(pathOf('.damaged.csv.d6.part'), part)
    const client = await connected()
    const { value } = await client.deliver('damaged.csv', sourceOf(content), 'd6')
    expect(value).toEqual({ sentBytes: content.length, wasThere: false })
    expect(readFileSync(pathOf('damaged.csv')).equals(content)).toBe(true)
    await client.close()
  })

  test('never shows a part of a file under its name', async () => {
    const content = randomBytes(6_000_000)
    const sizes = new Set<number>()
    let isDone = false
    const watch = async (): Promise<void> => {
      while (!isDone) {
        for (const name of readdirSync(server.folder)) if (name === 'whole.csv') sizes.add(statSync(pathOf(name)).size)
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const watching = watch()
    for (let attempt = 0; attempt < 4 && !existsSync(pathOf('whole.csv')); attempt++) {
      if (attempt < 3) proxy.breakAfter(2_000_000)
      const client = await connected()
      await client.deliver('whole.csv', sourceOf(content), 'd7')
      await client.close()
    }
    await delay(50)
    isDone = true
    await watching
    expect([...sizes]).toEqual([content.length])
  })

  test('refuses with a kind for each reason', async () => {
    const client = await connected()
    const sink = (): void => undefined
    writeFileSync(pathOf('large.csv'), 'x'.repeat(1_000))
    expect(await client.fetch('missing.csv', sink, 10)).toMatchObject({ error: { kind: 'noSuchFile' } })
    expect(await client.fetch('large.csv', sink, 999)).toMatchObject({ error: { kind: 'tooLarge' } })
    expect(await client.fetch('', sink, 10)).toMatchObject({ error: { kind: 'invalid' } })
    expect(await client.list('missing')).toMatchObject({ error: { kind: 'noSuchFile' } })
    expect(await client.remove('missing.csv')).toMatchObject({ error: { kind: 'noSuchFile' } })
    expect(await client.deliver('missing/new.csv', sourceOf(Buffer.from('x')), 'd8')).toMatchObject({
      error: { kind: 'noSuchFile' },
    })
    expect(await client.deliver('new.csv', sourceOf(Buffer.from('x')), '../d8')).toMatchObject({
      error: { kind: 'invalid' },
    })
    const short = { ...sourceOf(Buffer.from('x')), sizeBytes: 2 }
    expect(await client.deliver('short.csv', short, 'd9')).toMatchObject({ error: { kind: 'changed' } })
    expect(existsSync(pathOf('short.csv'))).toBe(false)
    await client.close()
    expect(await client.list('.')).toMatchObject({ error: { kind: 'closed' } })
  })

  test.runIf(process.getuid?.() !== 0)('refuses a folder without permission', async () => {
    mkdirSync(pathOf('closed'))
    chmodSync(pathOf('closed'), 0o500)
    const client = await connected()
    expect(await client.deliver('closed/a.csv', sourceOf(Buffer.from('x')), 'd10')).toMatchObject({
      error: { kind: 'permission' },
    })
    await client.close()
  })

  test('has more entries than the bound', async () => {
    mkdirSync(pathOf('many'))
    for (let index = 0; index < 300; index++) writeFileSync(pathOf(`many/${index}`), '')
    const bounded = await connected({ limits: { entriesMax: 299 } })
    expect(await bounded.list('many')).toMatchObject({ error: { kind: 'tooLarge' } })
    await bounded.close()
    const client = await connected({ limits: { entriesMax: 300 } })
    expect((await client.list('many')).value).toHaveLength(300)
    await client.close()
  })

  test('is cancelled by the signal', async () => {
    const controller = new AbortController()
    const client = await connected({ signal: controller.signal })
    const delivery = client.deliver('cancelled.csv', sourceOf(randomBytes(3_000_000)), 'd11')
    await expect.poll(() => existsSync(pathOf('.cancelled.csv.d11.part'))).toBe(true)
    controller.abort()
    expect(await delivery).toMatchObject({ error: { kind: 'cancelled' } })
    expect(existsSync(pathOf('cancelled.csv'))).toBe(false)
  })
})
