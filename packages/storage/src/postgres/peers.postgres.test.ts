import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import type { Storage } from '../port.ts'
import { job } from '../testing/sample-rows.ts'
import type { WatchedTable } from '../schema.ts'
import { emptyDatabase, newDatabase, removeDatabase, runSql } from '../testing/postgres-database.ts'
import { type Proxy, startProxy } from '../testing/proxy.ts'
import { openPostgres } from './open.ts'

// Two storages on one database stand for two processes.

let database: string
let proxy: Proxy
let [first, second]: Storage[] = []

beforeAll(async () => {
  database = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
})

afterAll(() => removeDatabase(database))

beforeEach(async () => {
  await emptyDatabase(database)
  proxy = await startProxy(database)
  first = await openPostgres({ url: database })
  second = await openPostgres({ url: proxy.url })
})

afterEach(async () => {
  await Promise.all([first?.close(), second?.close()])
  proxy.close()
})

const LEASE_MS = 60_000
const lease = async (storage: Storage | undefined, max = 10, leaseMs = LEASE_MS) =>
  (await storage?.leaseJobs('delivery', 'lane', 2000, max, leaseMs)) ?? []
const idsOf = (jobs: readonly { readonly id: string }[]) => jobs.map(({ id }) => id)
const addJobs = (...ids: string[]) =>
  first?.commit({
    id: 'unit',
    expectedVersions: [],
    rows: { job: ids.map((id) => job(id, { kind: 'delivery', lane: 'lane', due_at_ms: 1000 })) },
  })

test('a job is leased by one process until its lease expires', async () => {
  await addJobs('a', 'b', 'c')
  expect(idsOf(await lease(first, 2))).toEqual(['a', 'b'])
  expect(idsOf(await lease(second))).toEqual(['c'])
  expect([await lease(first), await lease(second)]).toEqual([[], []])

  await runSql(database, `UPDATE job SET held_until_ms = held_until_ms - ${LEASE_MS + 1} WHERE id = 'b'`)
  expect(idsOf(await lease(second))).toEqual(['b'])
})

test('a lease lasts longer if the clock of the server was set back, but at most an hour longer', async () => {
  await addJobs('a')
  await lease(first)
  const endLater = (ms: number) => runSql(database, `UPDATE job SET held_until_ms = held_until_ms + ${ms}`)
  await endLater(limits.leaseExcessMsMax - LEASE_MS)
  expect(await lease(second)).toEqual([])
  await endLater(2 * LEASE_MS)
  expect(idsOf(await lease(second))).toEqual(['a'])
})

test('processes that lease concurrently get different jobs', async () => {
  const ids = Array.from({ length: 40 }, (_, index) => `job-${String(index).padStart(2, '0')}`)
  await addJobs(...ids)
  const leased = await Promise.all(Array.from({ length: 8 }, (_, index) => lease(index % 2 ? first : second, 5)))
  expect(leased.flatMap(idsOf).toSorted()).toEqual(ids)
})

test('a process whose lease has expired cannot complete a job that another process has leased since', async () => {
  await addJobs('a')
  const [firstLease] = await lease(first, 1, 0)
  if (!firstLease) throw new Error('no job was leased')
  const [secondLease] = await lease(second, 1)
  const removeJob = (storage: Storage | undefined, row: typeof firstLease) =>
    storage?.commit({
      id: 'unit',
      expectedVersions: [],
      rows: {},
      compareAndSets: [{ table: 'job', from: row, to: null }],
    })
  expect(await removeJob(first, firstLease)).toEqual({ kind: 'stale' })
  expect(await removeJob(second, secondLease ?? firstLease)).toEqual({ kind: 'committed' })
})

/** The tables that a storage reports after its first report, which contains all watched tables. */
async function reportedTables(storage: Storage | undefined): Promise<Set<WatchedTable>> {
  const tables = new Set<WatchedTable>()
  storage?.peers?.listen({
    onChanges: async (changedTables) => changedTables.forEach((table) => tables.add(table)),
    onMessage: () => {},
  })
  await expect.poll(() => tables.size).toBe(8)
  tables.clear()
  return tables
}

const changeInstallation = () =>
  first?.commit({
    id: 'unit',
    expectedVersions: [],
    rows: { installation: [{ name: 'n', value: String(Math.random()) }] },
  })

test('a process is informed of changes of watched tables only', async () => {
  const tables = await reportedTables(second)
  await addJobs('a')
  await changeInstallation()
  await expect.poll(() => [...tables], { interval: 5 }).toEqual(['installation'])
})

test('a process is informed of changes even if a notification was lost', async () => {
  const tables = await reportedTables(second)
  await runSql(
    database,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tollgate listen'`,
  )
  await changeInstallation()
  await expect.poll(() => [...tables], { timeout: 5000 }).toEqual(['installation'])
})

test('changes are reported again after a listener has failed', async () => {
  let calls = 0
  const onChanges = async () => {
    calls += 1
    if (calls < 3) throw new Error('the changes cannot be processed now')
  }
  second?.peers?.listen({ onChanges, onMessage: () => {} })
  await expect.poll(() => calls, { timeout: 5000 }).toBe(3)
})

test('a message of the maximum size reaches all listening processes', async () => {
  const received = new Map<Storage | undefined, string>()
  const onChanges = () => Promise.resolve()
  for (const storage of [first, second])
    storage?.peers?.listen({ onChanges, onMessage: (message) => received.set(storage, message) })
  const longest = 'ü'.repeat(limits.messageBytes / 2)
  await expect.poll(async () => (await second?.peers?.publish(longest), received.size)).toBe(2)
  expect([...received.values()]).toEqual([longest, longest])
})

test('a lock is held by one process until it is released or its connection is lost', async () => {
  const ignoringListener = { onChanges: () => Promise.resolve(), onMessage: () => {} }
  expect(await first?.peers?.lock('a')).toBeUndefined()
  for (const storage of [first, second]) storage?.peers?.listen(ignoringListener)
  await expect.poll(() => first?.peers?.lock('a')).toBeDefined()
  await expect.poll(() => second?.peers?.lock('b')).toBeDefined()
  expect([await second?.peers?.lock('a'), await first?.peers?.lock('b')]).toEqual([undefined, undefined])
  await (await first?.peers?.lock('c'))?.release()
  const lost = await second?.peers?.lock('c')
  expect(lost?.isHeld()).toBe(true)
  proxy.cut()
  await expect.poll(() => first?.peers?.lock('b')).toBeDefined()
  await expect.poll(() => lost?.isHeld()).toBe(false)
})

test('concurrent requests for locks are sent one after the other, so that the driver does not warn', async () => {
  first?.peers?.listen({ onChanges: () => Promise.resolve(), onMessage: () => {} })
  await expect.poll(() => first?.peers?.lock('a')).toBeDefined()
  const warnings: Error[] = []
  const warn = (warning: Error) => void warnings.push(warning)
  process.on('warning', warn)
  const lockOnce = async (name: string) => (await first?.peers?.lock(name))?.release()
  await Promise.all(['b', 'c', 'd'].map(lockOnce))
  process.off('warning', warn)
  expect(warnings).toEqual([])
})
