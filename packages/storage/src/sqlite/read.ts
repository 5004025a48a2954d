import { limits } from '../limits.ts'
import type { Reader } from '../port.ts'
import { scanReads } from '../scan.ts'
import { dueQueuesRead, referenceReads, tableReads, treeReads } from '../sql-reads.ts'
import { StorageError } from '../storage-error.ts'
import type { SqlValue } from '../sql-value.ts'
import type { Prepare } from '../statement.ts'
import { columnList } from '../columns.ts'
import { unpacking } from '../packed-columns.ts'
import { type Database, openReader } from './database.ts'

/**
 * Reads `file` in the calling thread, because a message to another thread costs more than most queries.
 * Every query is a `get` or an `all`, because an open iterator would pin the write-ahead log.
 * @throws StorageError `unavailable`, as every read does when it fails
 */
export function sqliteReader(file: string): Reader {
  try {
    const database = openReader(file)
    return { ...readsOn(unpacking(prepareOn(database))), close: async () => database.close() }
  } catch (error) {
    throw readError(error)
  }
}

const prepareOn =
  (database: Database): Prepare =>
  (_name, sql) => {
    const statement = database.prepare(sql)
    let list: ReturnType<typeof listing> | undefined
    return {
      // Most reads have one value, and a call without a spread takes a tenth of a microsecond less.
      async one(...values) {
        const [first] = values
        try {
          return values.length === 1 && first !== undefined ? statement.get(first) : statement.get(...values)
        } catch (error) {
          throw readError(error)
        }
      },
      async all(...values) {
        try {
          list ??= listing(database, sql)
          return list(...values)
        } catch (error) {
          throw readError(error)
        }
      },
    }
  }

/**
 * Prepares a statement that returns any number of rows. The driver returns them as arrays, because the objects that it
 * would make take longer, and so does each access to their members. Measured with rows of settlement files: a third of
 * the time of the read.
 */
function listing(database: Database, sql: string) {
  const statement = database.prepare(sql)
  statement.setReturnArrays(true)
  const names = statement.columns().map(({ name }) => name)
  return <Row extends object>(...values: SqlValue[]): Row[] => {
    const rows = statement.all(...values)
    for (let i = 0; i < rows.length; i++) rows[i] = objectOf(names, rows[i])
    return rows
  }
}

function objectOf(names: readonly string[], values: readonly SqlValue[]): Record<string, SqlValue> {
  const row: Record<string, SqlValue> = {}
  for (let i = 0; i < names.length; i++) row[names[i] ?? ''] = values[i] ?? null
  return row
}

/** All reads, in SQLite's dialect of SQL. */
export function readsOn(prepare: Prepare): Omit<Reader, 'close'> {
  const methods = tableReads(prepare, 'IN (SELECT value FROM json_each(?))')
  return {
    ...methods,
    ...treeReads(prepare, treeSql),
    ...referenceReads(prepare),
    dueQueues: dueQueuesRead(prepare, 'json_each'),
    ...scanReads(prepare, { entries: limits.scanEntries, rows: limits.scanRows }),
    // One process owns the file, so no lease is needed.
    leaseJobs: (kind, queue, atMs, max) => methods.dueJobs(kind, queue, atMs, max),
  }
}

const readError = (error: unknown) =>
  new StorageError('unavailable', error instanceof Error ? error.message : 'a read failed', { cause: error })

const listedTransactions = `SELECT ${columnList('payment_transaction')} FROM payment_transaction`

const treeSql = {
  transactions: 'payment_transaction',
  children: 'payment_transaction',
  listedRoots: `${listedTransactions} WHERE root_id IN (SELECT value FROM json_each(?)) AND id = root_id`,
  listedChildren: `${listedTransactions} WHERE id IN (SELECT value FROM json_each(?)) AND id <> root_id`,
  // A tree without a row in `tree` has no children.
  listedTrees: `(SELECT id FROM tree WHERE id IN (SELECT value FROM json_each(?)) AND EXISTS (
      SELECT 1 FROM payment_transaction AS c WHERE c.root_id = tree.id AND c.id <> c.root_id)) AS parent
    JOIN payment_transaction AS t ON t.root_id = parent.id`,
} as const
