import { type DataSet, type Key, tableNames } from '../data-set.ts'
import type { Schema } from '../schema.ts'
import { StorageError } from '../storage-error.ts'
import { columnsOf } from '../tables.ts'
import { arrayOf, items } from './arrays.ts'
import { compiledMigrations } from './compiled-migrations.ts'
import { dataSetOn } from './data-set.ts'
import type { SqlValue } from '../sql-value.ts'
import { checkServer, type Connection, connect } from './database.ts'
import { harmless } from './faults.ts'
import { isTableThere, makeTables, moveTable, whileLocked } from './migrate.ts'

/** How far a table was moved. */
export interface Moved {
  /** The key of the last row that is there. */
  readonly after: Key
  readonly rows: number
}

/** A database that is being filled; no gateway starts on it before it is finished. */
export interface MoveTarget {
  readonly dataSet: Pick<DataSet, 'rowsAfter'>
  moved(table: keyof Schema): Promise<Moved>
  /** Adds rows and notes that they are there, in one transaction. */
  add(table: keyof Schema, rows: readonly object[], last: Key): Promise<void>
  /** From now on a gateway can use it. Durable once it resolves. */
  finish(): Promise<void>
  close(): Promise<void>
}

/** Held for as long as a move lasts, so that there is one. */
const lockNumber = 7_055_418_352
/** How often it is asked for, and the pause between: the session of a move that was killed takes a moment to end. */
const lockAttempts = 150
const lockPauseMs = 100

/**
 * Opens an empty database for a move, or one that an earlier run of the same move has begun to fill.
 *
 * What is moved does not wait for the disk: a page and the note of it are written together, so that a crash of the
 * server takes both. The end waits, and with it all that came before.
 *
 * @param source what is moved, in a few words that are the same for the same data alone
 * @throws StorageError `incompatible` where there is anything else in it, `in-use` where another process moves into it,
 *   `unavailable` where it cannot be used
 */
export async function openMoveTarget(url: string, source: string): Promise<MoveTarget> {
  let connection: Connection | undefined
  try {
    connection = await connect(url, 'migrate')
    await checkServer(connection)
    await takeLock(connection)
    const opened = connection
    await whileLocked(opened, () => begin(opened, source))
    await connection.query('SET synchronous_commit = off')
    return targetOn(connection)
  } catch (error) {
    await connection?.close()
    throw harmless(error)
  }
}

async function takeLock({ query }: Connection): Promise<void> {
  for (let attempt = 0; attempt < lockAttempts; attempt += 1) {
    const [lock] = await query<{ isTaken: boolean }>(`SELECT pg_try_advisory_lock(${lockNumber}) AS "isTaken"`)
    if (lock?.isTaken) return
    await new Promise((resolve) => setTimeout(resolve, lockPauseMs))
  }
  throw new StorageError('in-use', 'another process moves data into it')
}

/** The note comes first: whenever the process ends, a gateway meets it, or an empty database. */
async function begin(connection: Connection, source: string): Promise<void> {
  const { query } = connection
  if (await isTableThere(connection, moveTable)) {
    const [other] = await query(`SELECT 1 FROM ${moveTable} WHERE source <> $1 LIMIT 1`, [source])
    if (other) {
      throw new StorageError(
        'incompatible',
        'it holds an unfinished move of other data, or of these before they were changed: ' +
          'empty the database, or name another one',
      )
    }
  } else {
    const [first] = await query<{ name: string }>(anyTable)
    if (first) throw new StorageError('incompatible', `it is not empty (${first.name}): name an empty database`)
    const names = tableNames.map((name) => `('${name}', $1, '[]', 0)`).join(', ')
    await query('BEGIN')
    await query(`CREATE TABLE ${moveTable} (
      name text COLLATE "C" PRIMARY KEY, source text NOT NULL, after text NOT NULL, rows bigint NOT NULL)`)
    await query(`INSERT INTO ${moveTable} VALUES ${names.replaceAll('$1', '$1::text')}`, [source])
    await query('COMMIT')
  }
  await makeTables(connection, compiledMigrations())
}

/** Whatever holds or would hold rows, but for what extensions bring. */
const anyTable = `SELECT c.relname AS name FROM pg_class AS c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
    AND NOT EXISTS (SELECT 1 FROM pg_depend AS d WHERE d.objid = c.oid AND d.deptype = 'e')
  ORDER BY 1 LIMIT 1`

function targetOn(connection: Connection): MoveTarget {
  const { close } = connection
  const statements = new Map(tableNames.map((table) => [table, addSql(table)]))

  async function query<Row extends object>(text: string, values?: readonly SqlValue[], name?: string): Promise<Row[]> {
    try {
      return await connection.query<Row>(text, values, name)
    } catch (error) {
      throw harmless(error)
    }
  }

  return {
    dataSet: dataSetOn(connection),
    async moved(table) {
      const [row] = await query<{ after: string; rows: number }>(
        `SELECT after, rows FROM ${moveTable} WHERE name = $1`,
        [table],
      )
      return { after: readKey(row?.after ?? '[]'), rows: row?.rows ?? 0 }
    },
    async add(table, rows, last) {
      const cells = columnsOf(table).map(([column, type]) =>
        arrayOf(
          type,
          rows.map((row): SqlValue => Reflect.get(row, column)),
        ),
      )
      await query(statements.get(table) ?? '', [...cells, table, JSON.stringify(last)], `add ${table}`)
    },
    async finish() {
      // Also so that queries by time need not look at every row that was moved.
      await query('VACUUM (ANALYZE)')
      await query('SET synchronous_commit = on')
      await query(`DROP TABLE ${moveTable}`)
    },
    close,
  }
}

function readKey(text: string): Key {
  const key: Key = JSON.parse(text)
  return key
}

function addSql(table: keyof Schema): string {
  const columns = columnsOf(table)
  const names = columns.map(([column]) => `"${column}"`).join(', ')
  const arrays = columns.map(([, type], index) => `$${index + 1}::${items[type].sql}[]`).join(', ')
  return `WITH added AS (
      INSERT INTO "${table}" (${names}) SELECT ${names} FROM unnest(${arrays}) AS r(${names}) RETURNING 1)
    UPDATE ${moveTable} SET after = $${columns.length + 2}, rows = rows + (SELECT count(*) FROM added)
      WHERE name = $${columns.length + 1}`
}
