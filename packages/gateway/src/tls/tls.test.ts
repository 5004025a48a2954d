import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { connect as connectPlainly } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { DAY_MS } from '@tollgate/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningGateway, startGateway } from '../start-gateway.ts'
import { ConfigError, readConfig } from '../config.ts'
import { type LogFields, sandboxIds, sandboxToken } from '@tollgate/operations'
import { type TestCertificate, selfSignedCertificate } from '../testing/certificate.ts'
import { cardPayment, FORM, formOf } from '../testing/test-gateway.ts'
import { openTls } from './tls.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-tls-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Writes a certificate and key to a folder, as a secret store mounts them. @returns their paths */
function mount(name: string, { cert, key }: Partial<TestCertificate>): { cert: string; key: string } {
  const directory = join(folder, name)
  mkdirSync(directory, { recursive: true })
  const files = { cert: join(directory, 'tls.crt'), key: join(directory, 'tls.key') }
  if (cert !== undefined) writeFileSync(files.cert, cert)
  if (key !== undefined) writeFileSync(files.key, key, { mode: 0o600 })
  return files
}

const [first, second, third] = [
  selfSignedCertificate(['localhost']),
  selfSignedCertificate(['localhost']),
  selfSignedCertificate(['localhost']),
]

describe('an unusable certificate or key is refused in one line without its content', () => {
  const open = { ...mount('open', first) }
  chmodSync(open.key, 0o644)
  const cases: readonly (readonly [fault: string, files: { cert: string; key: string }, message: RegExp])[] = [
    ['no certificate', mount('a', { key: first.key }), /^TOLLGATE_TLS_CERT: ENOENT: .+tls\.crt/],
    ['no key', mount('b', { cert: first.cert }), /^TOLLGATE_TLS_KEY: ENOENT: .+tls\.key/],
    ['a directory', { cert: folder, key: open.key }, /^TOLLGATE_TLS_CERT: .+ is not a regular file$/],
    ['a device', { cert: open.cert, key: '/dev/zero' }, /^TOLLGATE_TLS_KEY: \/dev\/zero is not a regular file$/],
    [
      'half a certificate',
      mount('c', { ...first, cert: first.cert.slice(0, 200) }),
      /^TOLLGATE_TLS_CERT: .+tls\.crt contains no/,
    ],
    [
      'half a key',
      mount('d', { ...first, key: first.key.slice(0, 90) }),
      /^TOLLGATE_TLS_KEY: .+tls\.key contains no private/,
    ],
    [
      'the key of another certificate',
      mount('e', { ...first, key: second.key }),
      /^TOLLGATE_TLS_KEY: .+ is not the key of .+tls\.crt$/,
    ],
    [
      'a key that other users may read',
      open,
      /^TOLLGATE_TLS_KEY: .+ is open to other users of the machine; chmod o= .+tls\.key$/,
    ],
    [
      'a file that is too long',
      mount('f', { ...first, cert: first.cert.repeat(600) }),
      /^TOLLGATE_TLS_CERT: .+ is longer than/,
    ],
  ]
  test.each(cases)('%s', async (_, files, message) => {
    const error = await openTls(files).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ConfigError)
    expect(error).toMatchObject({ message: expect.stringMatching(message) })
    expect(String(error)).not.toMatch(/BEGIN|\n/)
  })

  test('the start of a gateway is refused before it creates its data', async () => {
    const data = join(folder, 'data-of-refused-start')
    const [, files] = cases[0] ?? []
    const env = { PORT: '0', TOLLGATE_DATA: data, TOLLGATE_TLS_CERT: files?.cert, TOLLGATE_TLS_KEY: files?.key }
    await expect(startGateway(readConfig(env))).rejects.toThrow('TOLLGATE_TLS_CERT')
    expect(() => renameSync(data, data)).toThrow('ENOENT')
  })
})

describe('a certificate', () => {
  const served: string[] = []
  const lines: LogFields[] = []
  const log = {
    info: (fields: LogFields) => void lines.push({ level: 'info', ...fields }),
    warn: (fields: LogFields) => void lines.push({ level: 'warn', ...fields }),
    error: (fields: LogFields) => void lines.push({ level: 'error', ...fields }),
    flush: () => undefined,
  }
  const server = { setSecureContext: ({ cert }: { cert?: unknown }) => void served.push(String(cert)) }

  test('that is renewed replaces the previous one once its files are complete; each fault is logged once', async () => {
    const files = mount('renewed', first)
    const tls = await openTls(files)
    tls.attach(server)
    const reload = () => tls.reload(log, Date.now())
    await reload()
    writeFileSync(files.cert, second.cert.slice(0, 100))
    await reload()
    await reload()
    writeFileSync(files.cert, second.cert)
    await reload()
    await reload()
    expect(served).toEqual([first.cert])
    writeFileSync(files.key, second.key)
    await reload()
    await reload()
    expect(served).toEqual([first.cert, second.cert])
    rmSync(files.key)
    await reload()
    expect(lines.map(({ level, tls: event, error }) => [level, event, String(error).split(' ').at(-1)])).toEqual([
      ['error', 'not renewed', 'PEM'],
      ['error', 'not renewed', files.cert],
      ['info', 'renewed', 'undefined'],
      ['error', 'not renewed', `'${files.key}'`],
    ])
  })

  test('that is renewed is used if links are replaced, as in Kubernetes, or files renamed', async () => {
    const [before, after, last] = [mount('..1', first), mount('..2', second), mount('..3', third)]
    const link = join(folder, '..data')
    symlinkSync(join(before.cert, '..'), link)
    served.length = 0
    const tls = await openTls({ cert: join(link, 'tls.crt'), key: join(link, 'tls.key') })
    tls.attach(server)
    symlinkSync(join(after.cert, '..'), `${link}_tmp`)
    renameSync(`${link}_tmp`, link)
    await tls.reload(log, Date.now())
    renameSync(last.key, after.key)
    renameSync(last.cert, after.cert)
    await tls.reload(log, Date.now())
    expect(served).toEqual([first.cert, second.cert, third.cert])
  })

  test('causes a warning once a day from three weeks before its expiry', async () => {
    const tls = await openTls(mount('late', selfSignedCertificate(['localhost'], [-1, 30])))
    lines.length = 0
    for (const days of [0, 8, 10, 10.5, 11.1, 40]) await tls.reload(log, Date.now() + days * DAY_MS)
    const expiresAt = new Date(tls.expiresAtMs()).toISOString()
    expect(lines).toEqual([10, 11.1, 40].map(() => ({ level: 'warn', tls: 'expires', expiresAt })))
  })
})

describe('a gateway with a certificate', () => {
  const files = mount('gateway', first)
  let gateway: RunningGateway
  const env = { TOLLGATE_TLS_CERT: files.cert, TOLLGATE_TLS_KEY: files.key, TOLLGATE_LOG: 'silent', PORT: '0' }

  beforeAll(async () => {
    gateway = await startGateway(readConfig({ ...env, TOLLGATE_DATA: join(folder, 'data') }))
  })

  const portOf = (url: string) => Number(new URL(url).port)
  const dial = (url: string, options: ConnectionOptions = {}): Promise<TLSSocket> =>
    new Promise((resolve, reject) => {
      const target = { port: portOf(url), host: '127.0.0.1', servername: 'localhost', ...options }
      const socket = connect(target, () => resolve(socket)).on('error', reject)
    })
  /** Pays over TLS. @returns the status of the answer */
  const pay = (ca: string, socket?: TLSSocket): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${sandboxToken}`, 'content-type': FORM }
      // An agent would ignore the socket.
      const connectOptions = socket ? { createConnection: () => socket } : { agent: false as const }
      const target = {
        port: portOf(gateway.publicUrl),
        host: '127.0.0.1',
        servername: 'localhost',
        ca,
        headers,
        ...connectOptions,
      }
      const sent = request({ ...target, path: '/v1/payments', method: 'POST' }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
      })
      sent.on('error', reject).end(formOf({ entityId: sandboxIds.channel, ...cardPayment() }))
    })

  test('accepts TLS 1.2 and 1.3 on both listeners, and neither older versions nor weak ciphers', async () => {
    expect([gateway.publicUrl, gateway.manageUrl].map((url) => url.split(':')[0])).toEqual(['https', 'https'])
    expect(readConfig(env).publicUrl).toMatch(/^https:/)
    expect(await pay(first.cert)).toBe(200)
    for (const url of [gateway.publicUrl, gateway.manageUrl]) {
      for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
        const socket = await dial(url, { ca: first.cert, maxVersion })
        expect([socket.authorized, socket.getProtocol()]).toEqual([true, maxVersion])
        socket.destroy()
      }
      const outdated = { minVersion: 'TLSv1' as const, maxVersion: 'TLSv1.1' as const, ciphers: 'DEFAULT@SECLEVEL=0' }
      await expect(dial(url, { ca: first.cert, ...outdated })).rejects.toThrow()
      await expect(dial(url, { ca: first.cert, maxVersion: 'TLSv1.2', ciphers: 'AES128-SHA' })).rejects.toThrow()
    }
  })

  test('closes a plain connection without counting a request', async () => {
    const before = gateway.gateway.counts.requests.entries()
    const socket = connectPlainly(portOf(gateway.publicUrl), '127.0.0.1')
    socket.write('GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n')
    expect(Buffer.concat(await socket.toArray()).toString()).not.toContain('HTTP')
    expect(gateway.gateway.counts.requests.entries()).toEqual(before)
  })

  test('uses a new certificate for new connections and keeps existing connections', async () => {
    const existing = await dial(gateway.publicUrl, { ca: first.cert })
    writeFileSync(files.key, second.key)
    writeFileSync(files.cert, second.cert)
    await gateway.reload()
    expect(await pay(second.cert)).toBe(200)
    await expect(pay(first.cert)).rejects.toThrow()
    expect(await pay(first.cert, existing)).toBe(200)
    existing.destroy()
  })

  test('closes silent connections at a stop, and answers requests in progress', async () => {
    const silent = await dial(gateway.publicUrl, { ca: second.cert })
    const busy = await dial(gateway.publicUrl, { ca: second.cert })
    const head = ['POST /v1/payments HTTP/1.1', 'Host: here', `Authorization: Bearer ${sandboxToken}`]
    busy.write([...head, `Content-Type: ${FORM}`, 'Content-Length: 2\r\n\r\n'].join('\r\n'))
    await pay(second.cert)
    const closed = new Promise((resolve) => silent.resume().once('close', resolve))
    const stopped = gateway.stop()
    // The silent connection is closed long before the drain timeout, which would also cut the busy connection.
    await closed
    busy.write('{}')
    expect(Buffer.concat(await busy.toArray()).toString()).toMatch(/^HTTP\/1\.1 400 /)
    await stopped
  })
})
