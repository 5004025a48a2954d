import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import type { CommitResult, Storage } from '../port.ts'
import { expectedVersion, idempotencyKey, transaction } from '../testing/sample-rows.ts'
import { emptyDatabase, newDatabase, removeDatabase, runSql } from '../testing/postgres-database.ts'
import { findPrograms, type PostgresServer, startPostgres } from '../testing/postgres-server.ts'
import { type Proxy, startProxy } from '../testing/proxy.ts'
import { openPostgres } from './open.ts'

let database: string
let proxy: Proxy
let storage: Storage

beforeAll(async () => {
  database = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
})

afterAll(() => removeDatabase(database))

beforeEach(async () => {
  await emptyDatabase(database)
  proxy = await startProxy(database)
  storage = await openPostgres({ url: proxy.url })
})

afterEach(async () => {
  await storage.close()
  proxy.close()
})

const pay = (id: string) =>
  storage.commit({ id, expectedVersions: [expectedVersion(id)], rows: { payment_transaction: [transaction(id)] } })
const count = async (table: string) => {
  const [row] = await runSql<{ count: string }>(database, `SELECT count(*) FROM ${table}`)
  return Number(row?.count)
}
const untilSent = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
const committed = { kind: 'committed' }

describe('a commit whose connection is lost', () => {
  test('before its reply arrived is written once, and answered with its outcome', async () => {
    await pay('p1')
    proxy.dropAnswers()
    const units = [pay('p2'), pay('p1'), pay('p3')]
    await expect.poll(() => count('payment_transaction')).toBe(3)
    proxy.cut()
    expect(await Promise.all(units)).toEqual([committed, { kind: 'stale' }, committed])
    expect(await count('payment_transaction')).toBe(3)
  })

  test('before it reached the server is repeated', async () => {
    proxy.dropRequests()
    const units = [pay('p1'), pay('p2')]
    await untilSent()
    proxy.cut()
    expect(await Promise.all(units)).toEqual([committed, committed])
    expect(await count('payment_transaction')).toBe(2)
  })

  test('while the server still executes it is written once, and the late statement writes nothing', async () => {
    await pay('p1')
    const blocker = await openBlocker()
    await blocker.lock('p1')
    const unit = storage.commit({
      id: 'u',
      expectedVersions: [expectedVersion('p1', 1)],
      claim: idempotencyKey('k1'),
      rows: { payment_transaction: [transaction('c1', 'p1')] },
    })
    await expect.poll(blocker.waiting).toBe(1)
    // The server does not detect the loss: it continues the statement after the blocker has released its lock.
    proxy.cut('client')
    // The look-up waits in turns with pauses, and begins when a new connection is open.
    await expect.poll(blocker.waiting, { timeout: limits.lockTimeoutMs }).toBe(2)
    await blocker.release()
    expect(await unit).toEqual(committed)
    expect(await storage.treeOf('p1')).toMatchObject({ version: 2, transactions: [{ id: 'p1' }, { id: 'c1' }] })
    await expect.poll(blocker.waiting).toBe(0)
    expect(await count('payment_transaction')).toBe(2)
  })

  test('is answered with the earlier claim that its stored reply contains', async () => {
    await storage.commit({ id: 'u', expectedVersions: [], claim: idempotencyKey('k1'), rows: {} })
    proxy.dropAnswers()
    const unit = storage.commit({
      id: 'u',
      expectedVersions: [],
      claim: idempotencyKey('k1', { answer: 'other' }),
      rows: {},
    })
    await expect.poll(() => count('commit_reply')).toBe(1)
    proxy.cut()
    expect(await unit).toEqual({ kind: 'claimed', row: idempotencyKey('k1') })
  })
})

describe('units do not wait for a lost connection while another one works and no new one can be opened,', () => {
  // A unit that waited for a new connection would be refused.
  const commitOtherUnits = async () => {
    for (let index = 0; index < 5; index += 1) expect(await pay(`other${index}`)).toEqual(committed)
  }

  test.each(['cut', 'silent'] as const)('when a busy connection is %s', async (fault) => {
    proxy.disrupt(fault, 'p1')
    let hasEnded = false
    const unit = pay('p1').finally(() => (hasEnded = true))
    await untilSent()
    await commitOtherUnits()
    // The timeout of a silent connection is several seconds, for which the other units did not wait.
    if (fault === 'silent') {
      expect(hasEnded).toBe(false)
      proxy.cut()
    }
    expect(await unit).toEqual(committed)
    expect(await count('payment_transaction')).toBe(6)
  })

  test('when an idle connection is lost', async () => {
    proxy.cutOldest()
    await commitOtherUnits()
  })
})

/** Opens another session, which can hold the key of a tree's row. */
async function openBlocker() {
  const { Client } = await import('pg')
  const client = new Client({ connectionString: database })
  await client.connect()
  return {
    lock: (id: string) =>
      client.query(`BEGIN; INSERT INTO tree SELECT id, merchant, 2 FROM payment_transaction WHERE id = '${id}'`),
    waiting: async () => {
      const [row] = await runSql<{ count: string }>(
        database,
        `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      return Number(row?.count)
    },
    release: async () => {
      await client.query('ROLLBACK')
      await client.end()
    },
  }
}

test('at most one stored reply remains for each connection', async () => {
  for (let index = 0; index < 20; index += 1) await pay(`p${index}`)
  expect(await count('commit_reply')).toBeLessThanOrEqual(limits.postgresBatches)
})

test('a read whose connection was lost is repeated', async () => {
  await pay('p1')
  await storage.treeOf('p1')
  proxy.cut()
  expect(await storage.treeOf('p1')).toMatchObject({ version: 1 })
})

test('depth counts the units without an outcome, and a unit above the bound is refused', async () => {
  const units = Array.from({ length: limits.queueUnits + 1 }, (_, index) => pay(`p${index}`))
  expect(storage.depth()).toBe(limits.queueUnits)
  const results = await Promise.allSettled(units)
  expect(results.at(-1)).toMatchObject({ reason: { kind: 'unavailable' } })
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(limits.queueUnits)
  expect(storage.depth()).toBe(0)
})

test.each([
  ['a missing server', () => 'postgres://tollgate:secret@127.0.0.1:1/x', 'unavailable'],
  ['a missing database', () => database.replace(/test_\w+/, 'missing'), 'unavailable'],
  ['a malformed address', () => 'postgres://tollgate:secret@[::1', 'unavailable'],
])('%s is reported without the password', async (_, url, kind) => {
  const error = await openPostgres({ url: url() }).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ name: 'StorageError', kind })
  expect(String(error)).not.toContain('secret')
})

describe('a separate server', () => {
  let server: PostgresServer
  let storageOfServer: Storage

  beforeAll(async () => {
    const programs = findPrograms(process.env['PATH'] ?? '')
    if (!programs) throw new Error('PostgreSQL is not installed: run apt-get install postgresql')
    server = await startPostgres(programs)
    storageOfServer = await openPostgres({ url: server.url })
  })

  afterAll(async () => {
    await storageOfServer.close()
    await server.remove()
  })

  describe('with TLS and a self-signed certificate,', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-tls-'))
    const file = join(folder, 'ca.pem')
    const urlOf = (host: string, query: string) => `${server.url.replace('127.0.0.1', host)}?${query}`

    beforeAll(async () => {
      const request = 'openssl req -x509 -days 1 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1'
      const names = '-subj /CN=localhost -addext subjectAltName=DNS:localhost'
      await runSql(server.url, `COPY (SELECT) TO PROGRAM '${request} ${names} -keyout server.key -out server.crt'`)
      await runSql(server.url, 'ALTER SYSTEM SET ssl = on')
      const [row] = await runSql<{ pem: string }>(server.url, `SELECT pg_read_file('server.crt') AS pem`)
      writeFileSync(file, row?.pem ?? '')
      await runSql(server.url, 'SELECT pg_reload_conf()')
      // The server's processes reload their settings asynchronously.
      const hasTls = () => runSql(urlOf('localhost', 'sslmode=no-verify'), 'SELECT').catch(() => undefined)
      while (!(await hasTls())) await new Promise((resolve) => setTimeout(resolve, 20))
    })

    afterAll(() => rmSync(folder, { recursive: true }))

    test.each([
      ['require', 'localhost', ''],
      ['verify-ca', '127.0.0.1', '&sslrootcert='],
      ['verify-full', 'localhost', '&sslrootcert='],
    ])('sslmode=%s is supported', async (mode, host, root) => {
      const url = urlOf(host, `sslmode=${mode}${root && root + file}`)
      const tls = await openPostgres({ url })
      expect(await tls.account('none')).toBeUndefined()
      const encrypted = `SELECT count(*)::int AS count FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
        WHERE application_name LIKE 'tollgate %' AND ssl`
      // The connections of both writers and of one reader; those of the test before may still be closing.
      await expect.poll(() => runSql(server.url, encrypted)).toEqual([{ count: limits.postgresBatches + 1 }])
      await tls.close()
    })

    test.each([
      ['an untrusted issuer', 'localhost', '', /self-signed certificate/],
      ['another host', '127.0.0.1', '&sslrootcert=', /IP: 127\.0\.0\.1 is not in the cert's list: $/],
    ])('a certificate of %s is refused in one line', async (_, host, root, message) => {
      const url = urlOf(host, `sslmode=verify-full${root && root + file}`)
      const error = await openPostgres({ url }).catch((reason: unknown) => reason)
      expect(error).toMatchObject({ kind: 'unavailable', message: expect.stringMatching(message) })
      expect(String(error)).toMatch(/^StorageError: the certificate of the PostgreSQL server is invalid: .+$/)
    })
  })

  test.each(['crash', 'stop'] as const)('loses, duplicates and refuses no unit when it ends by a %s', async (end) => {
    const results = new Map<string, CommitResult>()
    let isOver = false
    const commitUnits = async (name: string) => {
      for (let index = 0; !isOver; index += 1) {
        const id = `${end}-${name}-${index}`
        const unit = { id, expectedVersions: [expectedVersion(id)], rows: { payment_transaction: [transaction(id)] } }
        results.set(id, await storageOfServer.commit(unit))
      }
    }
    const committers = Array.from({ length: 40 }, (_, index) => commitUnits(String(index)))
    for (let round = 0; round < 2; round += 1) {
      const countBefore = results.size
      await expect.poll(() => results.size, { timeout: 20_000, interval: 5 }).toBeGreaterThan(countBefore + 200)
      await server[end]()
      await server.start()
    }
    const countAfterRestart = results.size
    await expect.poll(() => results.size, { timeout: 20_000 }).toBeGreaterThan(countAfterRestart)
    isOver = true
    await Promise.all(committers)
    expect(new Set(Array.from(results.values(), ({ kind }) => kind))).toEqual(new Set(['committed']))
    const stored = await runSql<{ id: string }>(
      server.url,
      `SELECT id FROM payment_transaction WHERE id LIKE '${end}%'`,
    )
    expect(stored.map(({ id }) => id).toSorted()).toEqual([...results.keys()].toSorted())
  })
})
