import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { tableNames } from './tables.ts'
import { limits } from './limits.ts'
import { moveToPostgres } from './move.ts'
import { positionAt } from './position.ts'
import { openPostgres } from './postgres/open.ts'
import { openReader } from './sqlite/database.ts'
import { openSqlite } from './sqlite/open.ts'
import { fill } from './testing/fill.ts'
import { expectedVersion, transaction } from './testing/sample-rows.ts'
import { newDatabase, removeDatabase, runSql } from './testing/postgres-database.ts'
import { runSqlite } from './testing/run-sqlite.ts'

let folder: string
let file: string
let url: string

/** The number of rows in each growing table: more than one page. */
const count = limits.pageRows + 100

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-move-'))
  const storage = await openSqlite({ file: join(folder, 'filled.db') })
  await fill(storage, count)
  await storage.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

beforeEach(async () => {
  file = join(mkdtempSync(join(folder, 'data-')), 'tollgate.db')
  copyFileSync(join(folder, 'filled.db'), file)
  url = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
})
afterEach(() => removeDatabase(url))

const ignoreProgress = () => undefined
const move = () => moveToPostgres(file, url, ignoreProgress)
const change = (sql: string) => runSqlite(file, sql)

/**
 * Starts a move in another process, which kills itself at the report of progress number `atStep`, counted from 1.
 * Returns the signal that ended the process.
 */
async function moveUntilKilled(atStep: number): Promise<string | null> {
  const program = `
    import { moveToPostgres } from '${new URL('move.js', import.meta.url).href}'
    let steps = 0
    await moveToPostgres(process.argv[1], process.argv[2], () => {
      steps += 1
      if (steps === ${atStep}) process.kill(process.pid, 'SIGKILL')
    })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, file, url], { stdio: 'inherit' })
  await once(child, 'exit')
  return child.signalCode
}

/** The row counts of all tables of the source except `schema_migration`, and of the same tables of the target. */
async function rowCounts() {
  const reader = openReader(file)
  const sourceTables: { name: string }[] = reader
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'schema_migration' ORDER BY name`)
    .all()
  const source = sourceTables.map(({ name }) => [
    name,
    reader.prepare(`SELECT count(*) AS rows FROM "${name}"`).get().rows,
  ])
  reader.close()
  const target = await Promise.all(
    sourceTables.map(async ({ name }) => {
      const [row] = await runSql<{ rows: string }>(url, `SELECT count(*) AS rows FROM "${name}"`)
      return [name, Number(row?.rows)]
    }),
  )
  return { source, target }
}

test('a move that is killed repeatedly copies every row of every table once', async () => {
  const before = readFileSync(file)
  // The move is killed after the first tables, between two pages, and during the comparison.
  for (const atStep of [4, 5, 16]) expect(await moveUntilKilled(atStep)).toBe('SIGKILL')
  await expect(openPostgres({ url })).rejects.toMatchObject({
    kind: 'incompatible',
    message: 'the database contains an unfinished move: run tollgate migrate again to complete it',
  })
  const result = await move()
  expect(result.kind).toBe('moved')
  const { source, target } = await rowCounts()
  expect(target).toEqual(source)
  expect(source.filter(([, rows]) => rows === 0)).toEqual([])
  expect(source.map(([name]) => name)).toEqual(tableNames.toSorted())
  expect(readFileSync(file).equals(before)).toBe(true)
  expect(result.tables['payment_transaction']).toMatchObject({
    rows: count,
    amounts: { 'EUR DB ACK': String((count * (count - 1)) / 2) },
  })

  const [from, to] = [await openSqlite({ file }), await openPostgres({ url })]
  expect(await to.account('p000001')).toEqual(await from.account('p000001'))
  expect(await to.treeOf('p000007')).toEqual(await from.treeOf('p000007'))
  expect(await to.entities()).toEqual(await from.entities())
  await Promise.all([from.close(), to.close()])
})

test('moved payments are in the partitions of their months, past and future', async () => {
  const times = [Date.UTC(2024, 1, 29), Date.UTC(2024, 2, 1), Date.now(), Date.UTC(2050, 0)]
  const ids = times.map((atMs) => positionAt(atMs).padEnd(32, '5'))
  const storage = await openSqlite({ file })
  for (const id of ids) {
    const rows = { payment_transaction: [transaction(id), transaction(id.replace(/5$/, '6'), id)] }
    await storage.commit({ id, expectedVersions: [expectedVersion(id)], rows })
  }
  await storage.close()
  expect(await move()).toMatchObject({ kind: 'moved' })
  const months = times.map((atMs) => new Date(atMs).toISOString().slice(0, 7).replace('-', '_'))
  const rows = await runSql<{ name: string }>(
    url,
    `SELECT tableoid::regclass::text AS name FROM payment_transaction WHERE root_id < '1' AND id = root_id ORDER BY id`,
  )
  expect(rows.map(({ name }) => name)).toEqual(months.map((month) => `payment_transaction_${month}`))
})

test('differences between file and database are reported, and no gateway can use the database', async () => {
  expect(await moveUntilKilled(47)).toBe('SIGKILL')
  await runSql(url, `UPDATE payment_transaction SET amount_minor = 5 WHERE id = 'p000004'`)
  await runSql(url, `UPDATE entity SET name = 'another'`)
  await runSql(url, `DELETE FROM job WHERE id = 'p000004'`)
  const sum = (count * (count - 1)) / 2
  expect(await move()).toEqual({
    kind: 'different',
    tables: {
      entity: ['some rows have other values'],
      payment_transaction: [
        `sum of amount_minor: ${sum} in the file, ${sum + 1} in the database`,
        `sum of EUR DB ACK: ${sum} in the file, ${sum + 1} in the database`,
      ],
      job: expect.arrayContaining([`${count} rows in the file, ${count - 1} in the database`]),
    },
  })
  await expect(openPostgres({ url })).rejects.toMatchObject({ kind: 'incompatible' })
})

describe('a move is refused with', () => {
  test.each([
    [
      'a table of another program',
      'CREATE TABLE theirs (x text)',
      'the database is not empty (theirs): name an empty one',
    ],
    ['a view', 'CREATE VIEW totals AS SELECT 1', 'the database is not empty (totals): name an empty one'],
  ])('%s in the database', async (_, sql, message) => {
    await runSql(url, sql)
    await expect(move()).rejects.toMatchObject({ kind: 'incompatible', message })
  })

  test('a database that a gateway has used', async () => {
    await (await openPostgres({ url })).close()
    await expect(move()).rejects.toThrow('the database is not empty (access_token): name an empty one')
  })

  test('an unfinished move of other data', async () => {
    expect(await moveUntilKilled(1)).toBe('SIGKILL')
    change(`DELETE FROM velocity WHERE id = 'p000004'`)
    await expect(move()).rejects.toThrow(
      'the database contains an unfinished move of other data, or of an earlier state of this data',
    )
  })

  test('a file that a gateway has open', async () => {
    const storage = await openSqlite({ file })
    await expect(move()).rejects.toMatchObject({ kind: 'in-use' })
    await storage.close()
  })

  test.each([
    [
      'older',
      'DELETE FROM schema_migration WHERE version > 1',
      /has schema 1, and this program has \d+: start this version/,
    ],
    ['newer', `INSERT INTO schema_migration VALUES (99, 'a', 'b')`, /has schema 99, .*: use the newer program/],
    ['missing', 'DROP TABLE schema_migration', /contains no data of Tollgate$/],
  ])('a file whose schema is %s', async (_, sql, message) => {
    change(sql)
    await expect(move()).rejects.toThrow(message)
    expect(await runSql(url, `SELECT 1 FROM pg_class WHERE relname = 'unfinished_move'`)).toEqual([])
  })

  test('a missing file, or a file that is not a database', async () => {
    rmSync(file)
    await expect(move()).rejects.toThrow(`${file} does not exist`)
    writeFileSync(file, 'not a database '.repeat(1000))
    await expect(move()).rejects.toThrow(`${file}: file is not a database`)
  })

  test('a user who may not create tables', async () => {
    const user = `mover_${url.slice(-8)}`
    await runSql(url, `CREATE ROLE ${user} LOGIN`)
    const urlOfUser = new URL(url)
    urlOfUser.username = user
    await expect(moveToPostgres(file, urlOfUser.href, ignoreProgress)).rejects.toThrow(
      'permission denied for schema public',
    )
    await runSql(url, `DROP ROLE ${user}`)
  })
})
