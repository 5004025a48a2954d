import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { storedColumnsOf } from '../columns.ts'
import { tableNames, tables } from '../tables.ts'
import { compiledMigrations } from './compiled-migrations.ts'
import { type Database, openWriter } from './database.ts'
import { migrate } from './migrate.ts'

let folder: string
let database: Database

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-migrate-'))
  database = openWriter(join(folder, 'test.db'))
})

afterEach(() => {
  database.close()
  rmSync(folder, { recursive: true })
})

const recordedMigrations = () => database.prepare('SELECT * FROM schema_migration ORDER BY version').all()
const migration = (name: string, ...steps: string[]) => ({ name, reason: `why ${name}`, steps })

test('every migration runs once and stores its reason', () => {
  migrate(database, compiledMigrations())
  migrate(database, compiledMigrations())
  const expected = compiledMigrations().map(({ name, reason }, index) => ({ version: index + 1, name, reason }))
  expect(recordedMigrations()).toEqual(expected)
})

test('the created tables have the columns, order, types, nullability and keys of `tables`', () => {
  migrate(database, compiledMigrations())
  const baseTypes: Record<string, string> = { TEXT: 'text', INTEGER: 'integer', BLOB: 'bytes' }
  const created = database
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'schema_migration' ORDER BY name`)
    .all()
    .map(({ name }) => {
      const columns = database.prepare(`SELECT * FROM pragma_table_info('${name}')`).all()
      const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk)
      return {
        name,
        columns: columns.map((each) => [each.name, `${baseTypes[each.type]}${each.notnull ? '' : '?'}`]),
        key: key.map((each) => each.name),
      }
    })
  const declared = tableNames.map((name) => ({ name, columns: storedColumnsOf(name), key: tables[name].key }))
  expect(created).toEqual(declared.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
})

test('the database enforces types', () => {
  migrate(database, compiledMigrations())
  const insert = database.prepare('INSERT INTO tree (id, merchant, version) VALUES (?, ?, ?)')
  expect(() => insert.run('p1', 'm1', 'one')).toThrow('cannot store TEXT value in INTEGER column tree.version')
})

test('later migrations run on the result of earlier ones', () => {
  const first = migration('first', 'CREATE TABLE a (x TEXT)', `INSERT INTO a VALUES ('kept')`)
  migrate(database, [first])
  migrate(database, [first, migration('second', `ALTER TABLE a ADD COLUMN y TEXT DEFAULT 'new'`)])
  expect(database.prepare('SELECT * FROM a').all()).toEqual([{ x: 'kept', y: 'new' }])
  expect(recordedMigrations()).toMatchObject([{ name: 'first' }, { name: 'second' }])
})

test('a failed first migration leaves no tables', () => {
  const broken = migration('broken', 'CREATE TABLE a (x TEXT)', 'CREATE TABLE a (x TEXT)')
  expect(() => migrate(database, [broken])).toThrow('table a already exists')
  expect(database.prepare('SELECT name FROM sqlite_schema').all()).toEqual([])
  migrate(database, [migration('repaired', 'CREATE TABLE a (x TEXT)')])
  expect(recordedMigrations()).toMatchObject([{ version: 1, name: 'repaired' }])
})

test('a schema one version ahead is accepted, and a newer one is refused', () => {
  const [first, ...later] = ['a', 'b', 'c'].map((table) => migration(table, `CREATE TABLE ${table} (x TEXT)`))
  if (!first) throw new Error('three migrations are expected')
  migrate(database, [first, ...later.slice(0, 1)])
  migrate(database, [first])
  migrate(database, [first, ...later])
  expect(() => migrate(database, [first])).toThrow(
    /test\.db has schema 3, and this program supports at most 2: start a newer version$/,
  )
})
