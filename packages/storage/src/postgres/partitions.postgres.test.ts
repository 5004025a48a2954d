import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../limits.ts'
import type { Storage } from '../port.ts'
import { positionAt } from '../position.ts'
import type { TransactionRow } from '../schema.ts'
import { newDatabase, removeDatabase, runSql } from '../testing/postgres-database.ts'
import { expectedVersion, transaction } from '../testing/sample-rows.ts'
import { compiledMigrations, vacuumByNewRows } from './compiled-migrations.ts'
import { type Connection, connect } from './database.ts'
import { migrate } from './migrate.ts'
import { numberParameters } from './number-parameters.ts'
import { openPostgres } from './open.ts'
import { arePartitioned, keepPartitions, makeMonths, missingPartitions, monthAfter, monthsAhead } from './partitions.ts'
import { readsOn } from './read.ts'

let url: string
let database: Connection
const open: Storage[] = []

beforeEach(async () => {
  url = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
  database = await connect(url, 'migrate')
})

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
  await database.close()
  await removeDatabase(url)
})

async function openStorage(): Promise<Storage> {
  const storage = await openPostgres({ url })
  open.push(storage)
  return storage
}

const now = Date.now()
/** The id of a payment, 32 hex digits. @param digit repeated in place of the random bits */
const idAt = (atMs: number, digit = 'a') => positionAt(atMs) + digit.repeat(20)
const add = (storage: Storage, row: TransactionRow) =>
  storage.commit({
    id: row.id,
    expectedVersions: [expectedVersion(row.root_id, row.id === row.root_id ? 0 : 1)],
    rows: { payment_transaction: [row] },
  })
const nameOf = (atMs: number) => `payment_transaction_${new Date(atMs).toISOString().slice(0, 7).replace('-', '_')}`

async function partitionNames(): Promise<string[]> {
  const rows = await runSql<{ name: string }>(
    url,
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'payment_transaction'::regclass`,
  )
  return rows.map(({ name }) => name).toSorted()
}

/** The partition of a stored transaction. */
async function partitionOf(id: string): Promise<string | undefined> {
  const [row] = await runSql<{ name: string }>(
    url,
    `SELECT tableoid::regclass::text AS name FROM payment_transaction WHERE id = '${id}'`,
  )
  return row?.name
}

const newPartitions = Array.from({ length: limits.monthsAhead + 1 }, (_, months) => nameOf(monthAfter(now, months)))
const otherPartitions = ['first', 'later', 'registrations'].map((name) => `payment_transaction_${name}`)

describe('a new database', () => {
  test('has the partitions of the next months, with the settings of the vacuum, even after two starts', async () => {
    await Promise.all([openStorage(), openStorage()])
    expect(await partitionNames()).toEqual([...newPartitions, ...otherPartitions].toSorted())
    expect(await monthsAhead(database, now)).toBe(limits.monthsAhead)
    const settings = await runSql<{ settings: string }>(
      url,
      `SELECT DISTINCT array_to_string(reloptions, ', ') AS settings FROM pg_class
        WHERE relkind = 'r' AND relname LIKE 'payment_transaction%'`,
    )
    expect(settings.map((each) => each.settings.replaceAll('=', ' = '))).toEqual([vacuumByNewRows])
  })

  test('stores the payments at both sides of a boundary in their months, and registrations apart', async () => {
    const storage = await openStorage()
    const start = monthAfter(now, 1)
    const [last, first, old] = [idAt(start - 1), idAt(start), idAt(Date.UTC(2020, 1))]
    const registration = `f${'1'.repeat(31)}`
    for (const row of [last, first, old].map((id) => transaction(id))) await add(storage, row)
    await add(storage, transaction(registration, registration, { type: 'RG' }))
    await add(storage, transaction(idAt(start, 'c'), last))
    expect(await Promise.all([last, first, old, registration, idAt(start, 'c')].map(partitionOf))).toEqual([
      nameOf(now),
      nameOf(start),
      'payment_transaction_first',
      'payment_transaction_registrations',
      nameOf(now),
    ])
    expect(await storage.treeOf(idAt(start, 'c'))).toEqual(await storage.treeOf(last))
    expect((await storage.treeOf(last))?.transactions).toHaveLength(2)
  })

  test('has one child with an id, and a child of a follow-up does not break another', async () => {
    const storage = await openStorage()
    for (const id of [idAt(now), idAt(now, 'b')]) await add(storage, transaction(id))
    await add(storage, transaction(idAt(now, 'c'), idAt(now)))
    await expect(add(storage, transaction(idAt(now, 'c'), idAt(now, 'b')))).rejects.toMatchObject({
      kind: 'constraint',
    })
    expect(await storage.transactions([idAt(now, 'c')])).toEqual([transaction(idAt(now, 'c'), idAt(now))])
    expect(await storage.transactions([idAt(now, 'd')])).toEqual([])
  })

  test.each([4, 30, 400])('stores payments after a jump of the clock by %i months', async (months) => {
    const storage = await openStorage()
    const processes = [storage, await openStorage()]
    const before = (await partitionNames()).length
    const atMs = monthAfter(now, months)
    const ids = Array.from({ length: 10 }, (_, digit) => idAt(atMs, String(digit)))
    const results = await Promise.all(
      ids
        .map((id, index) => add(processes[index % 2] ?? storage, transaction(id)))
        .concat(add(storage, transaction(idAt(now)))),
    )
    expect(results).toEqual(results.map(() => ({ kind: 'committed' })))
    expect(new Set(await Promise.all(ids.map(partitionOf)))).toEqual(new Set([nameOf(atMs)]))
    expect(await monthsAhead(database, atMs)).toBe(limits.monthsAhead)
    const made = (await partitionNames()).length - before
    expect(made).toBe(months === 4 ? months : limits.monthsAhead + 2)
  })

  test('makes the next months as time passes, and moves old registrations into them', async () => {
    const storage = await openStorage()
    const atMs = monthAfter(now, 2)
    const id = idAt(monthAfter(atMs, limits.monthsAhead) + 5)
    await add(storage, transaction(id, id, { type: 'RG' }))
    await add(storage, transaction(idAt(now, 'c'), id))
    expect(await partitionOf(id)).toBe('payment_transaction_later')
    const tree = await storage.treeOf(id)
    await keepPartitions(database, atMs)
    await keepPartitions(database, atMs)
    expect(await monthsAhead(database, atMs)).toBe(limits.monthsAhead)
    expect(await partitionOf(id)).toBe(nameOf(monthAfter(atMs, limits.monthsAhead)))
    expect(await storage.treeOf(idAt(now, 'c'))).toEqual(tree)
    expect((await partitionNames()).length).toBe(newPartitions.length + otherPartitions.length + 2)
  })

  test('is reported without a partition of the next month', async () => {
    await openStorage()
    expect(await missingPartitions(database, monthAfter(now, limits.monthsAhead - 1))).toEqual([])
    const lastMonth = monthAfter(now, limits.monthsAhead)
    expect(await missingPartitions(database, lastMonth)).toEqual([
      expect.stringMatching('payment_transaction has no partition of the next month'),
    ])
    await makeMonths(database, lastMonth)
    expect(await missingPartitions(database, lastMonth)).toEqual([])
  })

  test('has partitions until 2100, after which there are no months', async () => {
    const storage = await openStorage()
    const atMs = Date.UTC(2099, 11, 31)
    await makeMonths(database, atMs)
    await makeMonths(database, atMs)
    expect(await monthsAhead(database, atMs)).toBeUndefined()
    for (const id of [idAt(atMs), idAt(Date.UTC(2100, 0))]) {
      expect(await add(storage, transaction(id))).toEqual({ kind: 'committed' })
    }
    expect(await partitionOf(idAt(atMs))).toBe('payment_transaction_2099_12')
  })
})

describe('reads of transactions', () => {
  /** The partitions that a statement reads, by EXPLAIN ANALYZE. */
  async function partitionsRead(sql: string, values: readonly string[]): Promise<string[]> {
    const literals = values.map((value) => `'${value}'`).join(', ')
    await database.query('SET enable_seqscan = off')
    await database.query('SET plan_cache_mode = force_generic_plan')
    await database.query(`PREPARE explained AS ${numberParameters(sql)}`)
    const lines = await database.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE) EXECUTE explained(${literals})`)
    await database.query('DEALLOCATE explained')
    const executed = lines.map((line) => line['QUERY PLAN']).filter((line) => !line.includes('never executed'))
    expect(executed.join('\n')).not.toContain('Seq Scan')
    return [...new Set(executed.flatMap((line) => /(?:Scan .*on) (payment_transaction\w+)/.exec(line)?.[1] ?? []))]
  }

  const texts = new Map<string, string>()
  readsOn((name, sql) => {
    texts.set(name, sql)
    return { one: async () => undefined, all: async () => [] }
  })

  test('of a tree read one partition', async () => {
    const storage = await openStorage()
    const [root, child] = [idAt(now), idAt(now, 'c')]
    await add(storage, transaction(root))
    await add(storage, transaction(child, root))
    for (const [name, value] of [
      ['treeOfRoot payment_transaction', root],
      ['listedRoots payment_transaction', `["${root}"]`],
      ['listedChildren payment_transaction child_transaction', `["${child}"]`],
      ['treesOfRoots payment_transaction', `["${root}"]`],
    ] as const) {
      expect.soft(await partitionsRead(texts.get(name) ?? '', [value]), name).toEqual([nameOf(now)])
    }
  })

  test('use one generic plan per connection, for any values', async () => {
    await openStorage()
    const reader = await connect(url, 'read')
    for (let execution = 0; execution < 10; execution += 1) {
      await reader.query(numberParameters(texts.get('treeOfRoot payment_transaction') ?? ''), [idAt(now)], 'one')
      await reader.query(numberParameters(texts.get('transactionsOf') ?? ''), ['r', 'm', '%', '', '', 10], 'all')
    }
    const plans = await reader.query(
      `SELECT name, custom_plans AS "customPlans" FROM pg_prepared_statements ORDER BY name`,
    )
    await reader.close()
    expect(plans).toEqual([
      { name: 'all', customPlans: 0 },
      { name: 'one', customPlans: 0 },
    ])
  })
})

describe('a database of an earlier version', () => {
  const columns = 'root_id, id, merchant, channel, type, status, result_code, facts, echo, outcome, created_at_ms'
  const insert = (root: string, id: string, type: string) =>
    `INSERT INTO tree SELECT '${root}', 'm', 1 WHERE '${root}' = '${id}';
    INSERT INTO payment_transaction (${columns})
      VALUES ('${root}', '${id}', 'm', 'c', '${type}', 'PENDING', '000.200.000', '{}', '{}', '{}', ${now})`
  const payment = idAt(Date.UTC(2025, 3))
  const future = idAt(monthAfter(now, 30))
  const registrations = ['00', '0250', '0320', '0a', '1', 'ff'].map((prefix) => prefix.padEnd(32, '7'))
  const children = [payment, future, ...registrations].map((root, index) => [root, idAt(now, String(index))] as const)
  const numberOfRows = 2 * children.length

  beforeEach(async () => {
    await migrate(database, compiledMigrations().slice(0, 6))
    for (const id of [payment, future]) await runSql(url, insert(id, id, 'DB'))
    for (const id of registrations) await runSql(url, insert(id, id, 'RG'))
    for (const [root, id] of children) await runSql(url, insert(root, id, 'CP'))
    const index = `SELECT 'payment_transaction_pkey'::regclass::oid::text AS oid`
    await runSql(url, `CREATE TABLE noted AS ${index}; GRANT SELECT ON payment_transaction TO PUBLIC`)
  })

  const partitioned = () => expect.poll(() => arePartitioned(database), { timeout: 20_000 }).toBe(true)

  test('is partitioned after the start; its rows are read and changed, and its children are found', async () => {
    const storage = await openStorage()
    const readAll = () => Promise.all(children.flat().map((id) => storage.treeOf(id)))
    const before = await readAll()
    expect(before.map((tree) => tree?.transactions.length)).toEqual(before.map(() => 2))
    await partitioned()
    expect(await readAll()).toEqual(before)
    expect(await storage.transactions(children.flat())).toHaveLength(numberOfRows)
    for (const [root, id] of children) {
      const tree = await storage.treeOf(id)
      const [from] = (await storage.transactions([id])).values()
      if (!tree || !from) throw new Error('the transaction is missing')
      const unit = {
        id: 'u',
        expectedVersions: [{ id: root, merchant: 'm', version: tree.version }],
        compareAndSets: [{ table: 'payment_transaction' as const, from, to: { ...from, status: 'ACK' } }],
        rows: {},
      }
      expect(await storage.commit(unit)).toEqual({ kind: 'committed' })
      expect(await storage.transactions([id])).toMatchObject([{ status: 'ACK' }])
    }
    expect(await partitionOf(payment)).toBe('payment_transaction_first')
    expect(await Promise.all(registrations.map(partitionOf))).toEqual([
      'payment_transaction_first',
      'payment_transaction_later',
      'payment_transaction_later',
      ...registrations.slice(3).map(() => 'payment_transaction_registrations'),
    ])
  })

  test('keeps its indexes, rights and rows, and no constraint of the change', async () => {
    await openStorage()
    await partitioned()
    const [kept] = await runSql<{ index: string }>(url, 'SELECT oid::oid::regclass::text AS index FROM noted')
    expect(kept).toEqual({ index: 'payment_transaction_first_pkey' })
    const invalid = await runSql(url, 'SELECT 1 FROM pg_index WHERE NOT indisvalid')
    expect(invalid).toEqual([])
    const unique = await runSql<{ table: string }>(
      url,
      `SELECT indrelid::regclass::text AS table FROM pg_index WHERE indisunique AND NOT indisprimary
        AND indrelid::regclass::text LIKE 'payment_transaction%'`,
    )
    expect(unique).toEqual([])
    const [right] = await runSql(
      url,
      `SELECT 1 FROM information_schema.table_privileges
        WHERE table_name = 'payment_transaction' AND grantee = 'PUBLIC'`,
    )
    expect(right).toBeDefined()
    const checks = await runSql(
      url,
      `SELECT conrelid::regclass::text AS table FROM pg_constraint WHERE contype = 'c'
      AND conname LIKE 'payment_transaction%'`,
    )
    expect(checks).toEqual([{ table: 'payment_transaction_later' }])
    const [look] = await runSql<{ rows: string }>(url, 'SELECT count(*)::text AS rows FROM child_transaction')
    expect(look?.rows).toBe(String(children.length))
  })

  test('loses and duplicates no payment that is committed meanwhile', async () => {
    const storages = [await openStorage(), await openStorage()]
    let index = 0
    while (!(await arePartitioned(database)) || index < 200) {
      const ids = Array.from({ length: 20 }, () => {
        index += 1
        return idAt(now + index)
      })
      const results = await Promise.all(
        ids.map(async (id, place) => {
          const storage = storages[place % 2]
          const result = storage && (await add(storage, transaction(id)))
          if (storage) await add(storage, transaction(`${id.slice(0, 12)}${'c'.repeat(20)}`, id))
          return result
        }),
      )
      expect(results).toEqual(ids.map(() => ({ kind: 'committed' })))
    }
    const [rows] = await runSql<{ rows: string; children: string }>(
      url,
      `SELECT count(*)::text AS rows, (SELECT count(*)::text FROM child_transaction) AS children
        FROM payment_transaction`,
    )
    expect(rows).toEqual({ rows: String(2 * index + numberOfRows), children: String(index + children.length) })
  })

  test('stays usable if the change fails, and the next call completes it', async () => {
    await migrate(database, compiledMigrations())
    await runSql(url, 'CREATE TABLE payment_transaction_later (x text)')
    expect(await missingPartitions(database, now)).toEqual([
      expect.stringMatching('payment_transaction has no partitions'),
    ])
    await expect(keepPartitions(database, now)).rejects.toThrow('payment_transaction_later')
    expect(
      await runSql(url, `SELECT 1 FROM pg_constraint WHERE conname = 'payment_transaction_is_being_partitioned'`),
    ).toEqual([])
    await runSql(url, 'DROP TABLE payment_transaction_later')
    await keepPartitions(database, now)
    expect(await arePartitioned(database)).toBe(true)
    expect(await missingPartitions(database, now)).toEqual([])
    expect(await monthsAhead(database, now)).toBe(30)
  })
})
