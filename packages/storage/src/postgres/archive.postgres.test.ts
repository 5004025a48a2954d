import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Storage } from '../port.ts'
import { positionAt } from '../position.ts'
import type { TransactionRow } from '../schema.ts'
import { newDatabase, removeDatabase, runSql } from '../testing/postgres-database.ts'
import { expectedVersion, transaction } from '../testing/sample-rows.ts'
import { type Archive, openPostgresArchive } from './archive.ts'
import { compiledMigrations } from './compiled-migrations.ts'
import { openPostgresDataSet } from './data-set.ts'
import { type Connection, connect } from './database.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './open.ts'
import { keepPartitions, monthAfter, partitionEmpty } from './partitions.ts'

let url: string
let database: Connection
let storage: Storage
let archive: Archive

const start = Date.UTC(2024, 0)
const month = (index: number) => monthAfter(start, index)
const idAt = (atMs: number, digit = 'a') => positionAt(atMs) + digit.repeat(20)
const add = (row: TransactionRow) =>
  storage.commit({
    id: row.id,
    expectedVersions: [expectedVersion(row.root_id, row.id === row.root_id ? 0 : 1)],
    rows: { payment_transaction: [row] },
  })

/** Two payments of each of three months, one of them with a capture. */
const roots = [0, 1, 2].flatMap((index) => [idAt(month(index) + 1), idAt(month(index) + 2)])
const [oldest = '', staying = '', second = ''] = roots
const captureOf = (root: string) => idAt(Number.parseInt(root.slice(0, 12), 16) + 1000, 'c')
const captures = [staying, second].map(captureOf)
const ids = [...roots, ...captures]

beforeEach(async () => {
  url = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
  database = await connect(url, 'migrate')
  await migrate(database, compiledMigrations())
  await partitionEmpty(database, start)
  await keepPartitions(database, Date.now())
  storage = await openPostgres({ url })
  for (const root of roots) await add(transaction(root, root, { network_transaction_id: `n${root}` }))
  for (const root of [staying, second]) await add(transaction(captureOf(root), root))
  archive = await openPostgresArchive(url)
})
afterEach(async () => {
  await Promise.all([archive, storage, database].map((each) => each.close()))
  await removeDatabase(url)
})

async function tableOf(id: string): Promise<string | undefined> {
  const [row] = await runSql<{ name: string }>(
    url,
    `SELECT tableoid::regclass::text AS name FROM payment_transaction WHERE id = '${id}'
      UNION ALL SELECT tableoid::regclass::text FROM archived_payment_transaction WHERE id = '${id}'`,
  )
  return row?.name
}

const readAll = async () => ({
  trees: await Promise.all(ids.map((id) => storage.treeOf(id))),
  treesWithChildren: (await storage.treesWithChildren(roots)).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  rows: (await storage.transactions(ids)).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  byNetworkId: await Promise.all(
    roots.map((root) => storage.byNetworkId(`n${root}`, '70119a7e5eed000000000000000000e0')),
  ),
})

async function archiveUntil(endMs: number, trees: readonly string[]): Promise<string[]> {
  const names: string[] = []
  for (let next = await archive.oldest(endMs); next; next = await archive.oldest(endMs)) {
    names.push(next.name)
    await archive.archive(next, trees)
  }
  return names
}

describe('an archive', () => {
  test('takes the months that end by a time, except the trees that stay; all are read as before', async () => {
    const before = await readAll()
    expect(before.trees.map((tree) => tree?.transactions.length)).toEqual([1, 2, 2, 1, 1, 1, 2, 2])
    expect(before.rows).toHaveLength(ids.length)
    expect(await archive.oldest(month(1) - 1)).toBeUndefined()
    expect(await archiveUntil(month(2), [staying])).toEqual([
      'payment_transaction_2024_01',
      'payment_transaction_2024_02',
    ])
    expect(await readAll()).toEqual(before)
    const [first, archived] = ['payment_transaction_first', 'archived_payment_transaction_2024_02']
    expect(await Promise.all(ids.map(tableOf))).toEqual([
      'archived_payment_transaction_2024_01',
      first,
      archived,
      archived,
      'payment_transaction_2024_03',
      'payment_transaction_2024_03',
      first,
      archived,
    ])
  })

  test('lists the transactions of a partition, and which of them are in use', async () => {
    const next = await archive.oldest(month(1))
    if (!next) throw new Error('there is no month')
    await runSql(
      url,
      `INSERT INTO job (id, merchant, kind, lane, subject_id, due_at_ms, attempts, created_at_ms)
        VALUES ('j', 'm', 'k', '', '${captureOf(staying)}', 0, 0, 0)`,
    )
    const rows: unknown[] = []
    for await (const { root_id: root, id, type, status, isInUse } of archive.rowsOf(next)) {
      rows.push([root, id, type, status, isInUse])
    }
    expect(rows).toEqual([
      [oldest, oldest, 'DB', 'ACK', false],
      [staying, staying, 'DB', 'ACK', false],
      [staying, captureOf(staying), 'CP', 'ACK', true],
    ])
  })

  test('leaves trees that stay writable, and takes new payments of all months as before', async () => {
    await archiveUntil(month(2), [staying])
    expect(await add(transaction(idAt(month(3), 'd'), staying))).toEqual({ kind: 'stale' })
    const unit = { expectedVersions: [expectedVersion(staying, 2)], rows: {} }
    const refund = transaction(idAt(month(3), 'd'), staying)
    expect(await storage.commit({ ...unit, id: 'u', rows: { payment_transaction: [refund] } })).toEqual({
      kind: 'committed',
    })
    expect((await storage.treeOf(refund.id))?.transactions).toHaveLength(3)
    const payments = [idAt(month(0) + 9), idAt(month(2) + 9), idAt(Date.now())]
    for (const id of payments) expect(await add(transaction(id))).toEqual({ kind: 'committed' })
    expect((await Promise.all(payments.map(tableOf))).slice(0, 2)).toEqual([
      'payment_transaction_first',
      'payment_transaction_2024_03',
    ])
  })

  test('has trees whose versions are checked and incremented, as by charges under an agreement', async () => {
    await archiveUntil(month(2), [])
    const commit = (root: string, version: number) =>
      storage.commit({ id: 'u', expectedVersions: [expectedVersion(root, version)], rows: {} })
    const results = [await commit(oldest, 1), await commit(oldest, 1), await commit(oldest, 2), await commit(second, 1)]
    expect(results.map(({ kind }) => kind)).toEqual(['committed', 'stale', 'committed', 'stale'])
    expect((await storage.treeOf(oldest))?.version).toBe(3)
    expect(await commit(idAt(month(0) + 5), 1)).toEqual({ kind: 'stale' })
  })

  test('takes the whole table of an earlier version first', async () => {
    const ancient = idAt(Date.UTC(2020, 1))
    await add(transaction(ancient))
    await add(transaction(idAt(Date.UTC(2020, 1), 'b')))
    expect(await archiveUntil(month(1), [ancient, staying])).toEqual([
      'payment_transaction_first',
      'payment_transaction_2024_01',
    ])
    expect(await tableOf(ancient)).toBe('payment_transaction_first')
    expect(await tableOf(idAt(Date.UTC(2020, 1), 'b'))).toBe('archived_payment_transaction_first')
    expect(await storage.treeOf(ancient)).toBeDefined()
    expect(await add(transaction(ancient))).toEqual({ kind: 'stale' })
  })

  test('is part of the data set, in the order of the key', async () => {
    const rowsOf = async () => {
      const dataSet = await openPostgresDataSet(url)
      const counts = [await dataSet.count('payment_transaction'), await dataSet.count('tree')]
      const rows = await dataSet.rowsAfter('payment_transaction', [])
      const dangling = await dataSet.danglingReferences({ table: 'tree', column: 'id', target: 'root transaction' }, 10)
      await dataSet.close()
      return { counts, rows, dangling }
    }
    const before = await rowsOf()
    expect(before.rows).toHaveLength(ids.length)
    expect(before.dangling).toEqual([])
    await archiveUntil(month(2), [staying])
    expect(await rowsOf()).toEqual(before)
  })

  test('waits for no lock of others for long, and moves nothing then; the next attempt succeeds', async () => {
    const next = await archive.oldest(month(1))
    if (!next) throw new Error('there is no month')
    const reader = await connect(url, 'read')
    await reader.query('BEGIN')
    await reader.query(`SELECT 1 FROM ${next.name} LIMIT 1`)
    let isDone = false
    const archived = archive.archive(next, []).then(() => (isDone = true))
    expect(await add(transaction(idAt(Date.now())))).toEqual({ kind: 'committed' })
    expect(await storage.treeOf(oldest)).toBeDefined()
    expect(isDone).toBe(false)
    await reader.query('COMMIT')
    await reader.close()
    await archived
    expect(await tableOf(oldest)).toBe('archived_payment_transaction_2024_01')
  })

  test('loses, duplicates and refuses nothing that is committed and read meanwhile', async () => {
    let isDone = false
    const archived = archiveUntil(month(3), [staying]).finally(() => (isDone = true))
    const added: string[] = []
    for (let number = 0; !isDone || number < 50; number += 1) {
      const id = idAt(Date.now() + number)
      added.push(id)
      const [result, ...trees] = await Promise.all([
        add(transaction(id)),
        ...ids.map((stored) => storage.treeOf(stored)),
      ])
      expect(result).toEqual({ kind: 'committed' })
      expect(trees.every((tree) => tree !== undefined)).toBe(true)
      const withChildren = await storage.treesWithChildren(roots)
      expect(new Set(withChildren.map(({ id: root }) => root))).toEqual(new Set([staying, second]))
    }
    expect(await archived).toHaveLength(3)
    const trees = await Promise.all(added.map((id) => storage.treeOf(id)))
    expect(trees.every((tree) => tree?.transactions.length === 1)).toBe(true)
  })

  test('is opened by one process at a time, and only on partitioned transactions', async () => {
    await expect(openPostgresArchive(url)).rejects.toMatchObject({ kind: 'unavailable' })
    const empty = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
    await expect(openPostgresArchive(empty)).rejects.toMatchObject({ kind: 'incompatible' })
    const other = await connect(empty, 'migrate')
    await migrate(other, compiledMigrations())
    await other.close()
    await expect(openPostgresArchive(empty)).rejects.toMatchObject({
      kind: 'incompatible',
      message: 'the transactions are not partitioned yet: a gateway does this at its start',
    })
    await removeDatabase(empty)
  })
})
