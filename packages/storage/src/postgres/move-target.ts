import type { DataSet, Key } from '../data-set.ts'
import type { Schema } from '../schema.ts'
import { StorageError } from '../storage-error.ts'
import { storedColumnsOf } from '../columns.ts'
import { storedValues } from '../packed-columns.ts'
import { valuesOf } from '../row-values.ts'
import { tableNames } from '../tables.ts'
import { arrayOf, itemTypes } from './arrays.ts'
import { compiledMigrations } from './compiled-migrations.ts'
import { dataSetOn } from './data-set.ts'
import type { SqlValue } from '../sql-value.ts'
import { checkServer, type Connection, connect } from './database.ts'
import { definiteErrorOf } from './faults.ts'
import { makeMonths, monthAfter, partitionEmpty, serverTime, timesOfRows } from './partitions.ts'
import { tableExists, applyMigrations, moveTable, whileLocked } from './migrate.ts'

/** The progress of the move of a table. */
export interface TableProgress {
  /** The key of the table's last row in the target. */
  readonly lastKey: Key
  readonly rows: number
}

/** The target of a move; no gateway starts on it before `finish`. */
export interface MoveTarget {
  readonly dataSet: Pick<DataSet, 'rowsAfter'>
  progressOf(table: keyof Schema): Promise<TableProgress>
  /** Adds rows and stores the progress, in one transaction. */
  add(table: keyof Schema, rows: readonly object[], lastKey: Key): Promise<void>
  /** Ends the move durably; then a gateway can use the database. */
  finish(): Promise<void>
  close(): Promise<void>
}

/** The advisory lock of the process that moves data: an arbitrary number. */
const lockNumber = 7_055_418_352
/** Attempts to take the lock. The session of a killed move, which holds the lock, ends with a delay. */
const lockAttempts = 150
/** The pause between attempts. */
const lockPauseMs = 100

/**
 * Opens an empty database for a move, or a database that an earlier run of the same move has begun to fill.
 *
 * Commits do not wait for the disk: a page and its progress are one transaction, so that a crash of the server loses
 * both. The last commit waits, and makes all earlier ones durable.
 *
 * @param source identifies the data of the move; equal for a later run of the same move
 * @param oldestMs the time of the oldest payment, from whose month on the transactions are partitioned; by default now
 * @throws StorageError `incompatible` if the database contains anything else, `in-use` if another process moves into
 *   it, `unavailable` if it cannot be used
 */
export async function openMoveTarget(url: string, source: string, oldestMs: number | undefined): Promise<MoveTarget> {
  let connection: Connection | undefined
  try {
    connection = await connect(url, 'migrate')
    await checkServer(connection)
    await acquireLock(connection)
    const opened = connection
    await whileLocked(opened, () => prepareDatabase(opened, source, oldestMs))
    await connection.query('SET synchronous_commit = off')
    return targetOn(connection)
  } catch (error) {
    await connection?.close()
    throw definiteErrorOf(error)
  }
}

async function acquireLock({ query }: Connection): Promise<void> {
  for (let attempt = 0; attempt < lockAttempts; attempt += 1) {
    const [lock] = await query<{ isAcquired: boolean }>(`SELECT pg_try_advisory_lock(${lockNumber}) AS "isAcquired"`)
    if (lock?.isAcquired) return
    await new Promise((resolve) => setTimeout(resolve, lockPauseMs))
  }
  throw new StorageError('in-use', 'another process moves data into the database')
}

/**
 * Creates the progress table before all other tables. A gateway refuses a database that contains this table, so it
 * never starts on the tables of an unfinished move.
 */
async function prepareDatabase(connection: Connection, source: string, oldestMs: number | undefined): Promise<void> {
  const { query } = connection
  if (await tableExists(connection, moveTable)) {
    const [otherSource] = await query(`SELECT 1 FROM ${moveTable} WHERE source <> $1 LIMIT 1`, [source])
    if (otherSource) {
      throw new StorageError(
        'incompatible',
        'the database contains an unfinished move of other data, or of an earlier state of this data: ' +
          'empty it, or name another one',
      )
    }
  } else {
    const [existing] = await query<{ name: string }>(anyTableSql)
    if (existing)
      throw new StorageError('incompatible', `the database is not empty (${existing.name}): name an empty one`)
    const names = tableNames.map((name) => `('${name}', $1, '[]', 0)`).join(', ')
    await query('BEGIN')
    await query(`CREATE TABLE ${moveTable} (
      name text COLLATE "C" PRIMARY KEY, source text NOT NULL, after text NOT NULL, rows bigint NOT NULL)`)
    await query(`INSERT INTO ${moveTable} VALUES ${names.replaceAll('$1', '$1::text')}`, [source])
    await query('COMMIT')
  }
  await applyMigrations(connection, compiledMigrations())
  await partitionEmpty(connection, oldestMs ?? (await serverTime(connection)))
}

/** Reads the name of one table, view or sequence that does not belong to an extension, if any. */
const anyTableSql = `SELECT c.relname AS name FROM pg_class AS c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
    AND NOT EXISTS (SELECT 1 FROM pg_depend AS d WHERE d.objid = c.oid AND d.deptype = 'e')
  ORDER BY 1 LIMIT 1`

function targetOn(connection: Connection): MoveTarget {
  const { close } = connection
  /** The end of the last month for which a partition was made; rows come in the order of time. */
  let monthsUntilMs = 0
  const statements = new Map(tableNames.map((table) => [table, addSql(table)]))

  async function query<Row extends object>(text: string, values?: readonly SqlValue[], name?: string): Promise<Row[]> {
    try {
      return await connection.query<Row>(text, values, name)
    } catch (error) {
      throw definiteErrorOf(error)
    }
  }

  return {
    dataSet: dataSetOn(connection),
    async progressOf(table) {
      const [row] = await query<{ after: string; rows: number }>(
        `SELECT after, rows FROM ${moveTable} WHERE name = $1`,
        [table],
      )
      return { lastKey: parseKey(row?.after ?? '[]'), rows: row?.rows ?? 0 }
    },
    async add(table, rows, lastKey) {
      const times = table === 'payment_transaction' ? timesOfRows(rows) : []
      for (const atMs of times) {
        if (atMs < monthsUntilMs) continue
        await makeMonths({ query }, atMs)
        monthsUntilMs = monthAfter(atMs, 1)
      }
      const stored = rows.map((row) => storedValues(table, valuesOf(table, row)))
      const cells = storedColumnsOf(table).map(([, type], index) =>
        arrayOf(
          type,
          stored.map((values) => values[index] ?? null),
        ),
      )
      await query(statements.get(table) ?? '', [...cells, table, JSON.stringify(lastKey)], `add ${table}`)
    },
    async finish() {
      await makeMonths({ query }, await serverTime({ query }))
      // After a VACUUM, queries by time can use index-only scans.
      await query('VACUUM (ANALYZE)')
      await query('SET synchronous_commit = on')
      await query(`DROP TABLE ${moveTable}`)
    },
    close,
  }
}

function parseKey(text: string): Key {
  const key: Key = JSON.parse(text)
  return key
}

function addSql(table: keyof Schema): string {
  const columns = storedColumnsOf(table)
  const names = columns.map(([column]) => `"${column}"`).join(', ')
  const arrays = columns.map(([, type], index) => `$${index + 1}::${itemTypes[type].sql}[]`).join(', ')
  return `WITH added AS (
      INSERT INTO "${table}" (${names}) SELECT ${names} FROM unnest(${arrays}) AS r(${names}) RETURNING 1)
    UPDATE ${moveTable} SET after = $${columns.length + 2}, rows = rows + (SELECT count(*) FROM added)
      WHERE name = $${columns.length + 1}`
}
