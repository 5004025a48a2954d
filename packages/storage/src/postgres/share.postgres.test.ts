import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import type { Storage } from '../port.ts'
import { job } from '../testing/sample-rows.ts'
import type { WatchedTable } from '../schema.ts'
import { emptyDatabase, newDatabase, removeDatabase, runSql } from '../testing/postgres-database.ts'
import { type Proxy, startProxy } from '../testing/proxy.ts'
import { openPostgres } from './open.ts'

// Two processes on one database.

let database: string
let proxy: Proxy
let [one, other]: Storage[] = []

beforeAll(async () => {
  database = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
})

afterAll(() => removeDatabase(database))

beforeEach(async () => {
  await emptyDatabase(database)
  proxy = await startProxy(database)
  one = await openPostgres({ url: database })
  other = await openPostgres({ url: proxy.url })
})

afterEach(async () => {
  await Promise.all([one?.close(), other?.close()])
  proxy.close()
})

const LEASE_MS = 60_000
const lease = async (storage: Storage | undefined, max = 10, leaseMs = LEASE_MS) =>
  (await storage?.leaseJobs('delivery', 'lane', 2000, max, leaseMs)) ?? []
const idsOf = (jobs: readonly { readonly id: string }[]) => jobs.map(({ id }) => id)
const addJobs = (...ids: string[]) =>
  one?.commit({
    id: 'unit',
    expectedVersions: [],
    rows: { job: ids.map((id) => job(id, { kind: 'delivery', lane: 'lane', due_at_ms: 1000 })) },
  })

test('a job is leased by one process until its lease expires', async () => {
  await addJobs('a', 'b', 'c')
  expect(idsOf(await lease(one, 2))).toEqual(['a', 'b'])
  expect(idsOf(await lease(other))).toEqual(['c'])
  expect([await lease(one), await lease(other)]).toEqual([[], []])

  await runSql(database, `UPDATE job SET held_until_ms = held_until_ms - ${LEASE_MS + 1} WHERE id = 'b'`)
  expect(idsOf(await lease(other))).toEqual(['b'])
})

test('a lease lasts longer if the clock of the server was set back, but at most an hour', async () => {
  await addJobs('a')
  await lease(one)
  const endLater = (ms: number) => runSql(database, `UPDATE job SET held_until_ms = held_until_ms + ${ms}`)
  await endLater(limits.leaseExcessMsMax - LEASE_MS)
  expect(await lease(other)).toEqual([])
  await endLater(2 * LEASE_MS)
  expect(idsOf(await lease(other))).toEqual(['a'])
})

test('processes that lease concurrently get different jobs', async () => {
  const ids = Array.from({ length: 40 }, (_, index) => `job-${String(index).padStart(2, '0')}`)
  await addJobs(...ids)
  const leased = await Promise.all(Array.from({ length: 8 }, (_, index) => lease(index % 2 ? one : other, 5)))
  expect(leased.flatMap(idsOf).toSorted()).toEqual(ids)
})

test('a process with an expired lease cannot complete the job', async () => {
  await addJobs('a')
  const [from] = await lease(one, 1, 0)
  if (!from) throw new Error('no job was leased')
  const [again] = await lease(other, 1)
  const removeJob = (storage: Storage | undefined, row: typeof from) =>
    storage?.commit({
      id: 'unit',
      expectedVersions: [],
      rows: {},
      compareAndSets: [{ table: 'job', from: row, to: null }],
    })
  expect(await removeJob(one, from)).toEqual({ kind: 'stale' })
  expect(await removeJob(other, again ?? from)).toEqual({ kind: 'committed' })
})

/** The reported tables of a storage; the first report contains all. */
async function reportedTables(storage: Storage | undefined): Promise<Set<WatchedTable>> {
  const tables = new Set<WatchedTable>()
  storage?.peers?.listen({
    changed: async (changed) => changed.forEach((table) => tables.add(table)),
    onMessage: () => {},
  })
  await expect.poll(() => tables.size).toBe(6)
  tables.clear()
  return tables
}

const changeInstallation = () =>
  one?.commit({
    id: 'unit',
    expectedVersions: [],
    rows: { installation: [{ name: 'n', value: String(Math.random()) }] },
  })

test('a process is notified of changes of watched tables, and of no others', async () => {
  const tables = await reportedTables(other)
  await addJobs('a')
  await changeInstallation()
  await expect.poll(() => [...tables], { interval: 5 }).toEqual(['installation'])
})

test('a process also recognises changes without a notification', async () => {
  const tables = await reportedTables(other)
  await runSql(
    database,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tollgate listen'`,
  )
  await changeInstallation()
  await expect.poll(() => [...tables], { timeout: 5000 }).toEqual(['installation'])
})

test('changes that could not be processed are reported again', async () => {
  let calls = 0
  const changed = async () => {
    calls += 1
    if (calls < 3) throw new Error('not now')
  }
  other?.peers?.listen({ changed, onMessage: () => {} })
  await expect.poll(() => calls, { timeout: 5000 }).toBe(3)
})

test('a message reaches all listening processes', async () => {
  const received: string[] = []
  const changed = () => Promise.resolve()
  for (const each of [one, other]) each?.peers?.listen({ changed, onMessage: (message) => received.push(message) })
  const longest = 'ü'.repeat(limits.messageBytes / 2)
  await expect.poll(async () => (await other?.peers?.publish(longest), received.length)).toBeGreaterThan(1)
  expect(new Set(received)).toEqual(new Set([longest]))
})

test('a lock is held by one process until it is released or its connection is lost', async () => {
  const ignoring = { changed: () => Promise.resolve(), onMessage: () => {} }
  expect(await one?.peers?.lock('a')).toBeUndefined()
  for (const each of [one, other]) each?.peers?.listen(ignoring)
  await expect.poll(() => one?.peers?.lock('a')).toBeDefined()
  await expect.poll(() => other?.peers?.lock('b')).toBeDefined()
  expect([await other?.peers?.lock('a'), await one?.peers?.lock('b')]).toEqual([undefined, undefined])
  await (await one?.peers?.lock('c'))?.release()
  const lost = await other?.peers?.lock('c')
  expect(lost?.isHeld()).toBe(true)
  proxy.cut()
  await expect.poll(() => one?.peers?.lock('b')).toBeDefined()
  await expect.poll(() => lost?.isHeld()).toBe(false)
})

test('concurrent requests for locks run one after the other', async () => {
  one?.peers?.listen({ changed: () => Promise.resolve(), onMessage: () => {} })
  await expect.poll(() => one?.peers?.lock('a')).toBeDefined()
  const warnings: Error[] = []
  const warn = (warning: Error) => void warnings.push(warning)
  process.on('warning', warn)
  const lockOnce = async (name: string) => (await one?.peers?.lock(name))?.release()
  await Promise.all(['b', 'c', 'd'].map(lockOnce))
  process.off('warning', warn)
  expect(warnings).toEqual([])
})
