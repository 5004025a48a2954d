import { afterEach, beforeEach, expect, test } from 'vitest'
import { storedColumnsOf } from '../columns.ts'
import { tableNames, tables } from '../tables.ts'
import { newDatabase, removeDatabase, runSql } from '../testing/postgres-database.ts'
import { compiledMigrations } from './compiled-migrations.ts'
import { type Connection, connect } from './database.ts'
import { migrate } from './migrate.ts'

let url: string
let database: Connection

beforeEach(async () => {
  url = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
  database = await connect(url, 'migrate')
})

afterEach(async () => {
  await database.close()
  await removeDatabase(url)
})

const recordedMigrations = () => runSql(url, 'SELECT * FROM schema_migration ORDER BY version')
const migration = (name: string, ...steps: string[]) => ({ name, reason: `why ${name}`, steps })

test('every migration runs once and stores its reason, even with concurrent starts', async () => {
  const otherConnections = await Promise.all([connect(url, 'migrate'), connect(url, 'migrate')])
  await Promise.all([database, ...otherConnections].map((connection) => migrate(connection, compiledMigrations())))
  await Promise.all(otherConnections.map((each) => each.close()))
  const expected = compiledMigrations().map(({ name, reason }, index) => ({ version: index + 1, name, reason }))
  expect(await recordedMigrations()).toEqual(expected)
})

test('the created tables equal `tables`, with collation C; the dialect adds five tables of its own', async () => {
  await migrate(database, compiledMigrations())
  const baseTypes: Record<string, string> = { text: 'text', bigint: 'integer', bytea: 'bytes' }
  const columns = await runSql<{ table: string; name: string; type: string; nullable: string; collation: string }>(
    url,
    `SELECT table_name AS table, column_name AS name, data_type AS type, is_nullable AS nullable,
      collation_name AS collation FROM information_schema.columns
      WHERE table_schema = 'public' ORDER BY ordinal_position`,
  )
  const keys = await runSql<{ table: string; name: string }>(
    url,
    `SELECT table_name AS table, column_name AS name FROM information_schema.key_column_usage
      WHERE table_schema = 'public' ORDER BY ordinal_position`,
  )
  for (const table of tableNames) {
    const created = columns.filter((each) => each.table === table)
    expect(created.map((each) => [each.name, `${baseTypes[each.type]}${each.nullable === 'YES' ? '?' : ''}`])).toEqual(
      storedColumnsOf(table),
    )
    expect(new Set(created.filter(({ type }) => type === 'text').map(({ collation }) => collation))).toEqual(
      new Set(['C']),
    )
    expect(keys.filter((each) => each.table === table).map(({ name }) => name)).toEqual(tables[table].key)
  }
  const ofTable = (name: string) =>
    columns.filter(({ table }) => table === name).map((each) => ({ ...each, table: '' }))
  expect(ofTable('archived_payment_transaction')).toEqual(ofTable('payment_transaction'))
  const archive = 'archived_payment_transaction'
  const dialectTables = ['schema_migration', 'commit_reply', 'watched_table', 'child_transaction', archive]
  expect(new Set(columns.map(({ table }) => table))).toEqual(new Set([...Object.keys(tables), ...dialectTables]))
})

test('a failed migration is rolled back, and the migrations before it stay applied', async () => {
  const broken = migration('broken', 'CREATE TABLE a (x text)', 'CREATE TABLE a (x text)')
  await expect(migrate(database, [broken])).rejects.toThrow('relation "a" already exists')
  expect(await runSql(url, `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace`)).toEqual([])
  await migrate(database, [migration('repaired', 'CREATE TABLE a (x text)')])
  const applied = [migration('repaired'), migration('second', 'CREATE TABLE b (x text)')]
  await expect(migrate(database, [...applied, broken])).rejects.toThrow('relation "a" already exists')
  expect(await recordedMigrations()).toMatchObject([
    { version: 1, name: 'repaired' },
    { version: 2, name: 'second' },
  ])
})

test('a schema one version ahead is accepted, and a newer one is refused', async () => {
  const [first, second, third] = ['a', 'b', 'c'].map((table) => migration(table, `CREATE TABLE ${table} (x text)`))
  if (!first || !second || !third) throw new Error('three migrations are expected')
  await migrate(database, [first, second])
  await migrate(database, [first])
  await migrate(database, [first, second, third])
  await expect(migrate(database, [first])).rejects.toMatchObject({
    kind: 'incompatible',
    message: 'the database has schema 3, and this program supports at most 2: start a newer version',
  })
  expect(await recordedMigrations()).toHaveLength(3)
})

test('the migrations of another program are refused', async () => {
  await migrate(database, [migration('theirs', 'CREATE TABLE a (x text)')])
  await expect(migrate(database, compiledMigrations())).rejects.toMatchObject({
    kind: 'incompatible',
    message: 'the database has a migration 1 "theirs", which does not belong to this program: name another database',
  })
})
