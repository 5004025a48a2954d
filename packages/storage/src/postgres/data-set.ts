import { type DataSet, dataSetReads } from '../data-set.ts'
import { migrations } from '../migrations/index.ts'
import { checkSchemaVersion } from '../schema-version.ts'
import { columnList } from '../columns.ts'
import type { SqlValue } from '../sql-value.ts'
import { type Connection, connect } from './database.ts'
import { numberParameters } from './number-parameters.ts'
import { missingPartitions, serverTime } from './partitions.ts'
import { definiteErrorOf } from './faults.ts'
import { tableExists, moveTable } from './migrate.ts'

/**
 * Opens a snapshot of a database, which may be a standby. Gateways may write to the database meanwhile.
 * @throws StorageError `unavailable` if it cannot be reached; `incompatible` if its schema is not that of this
 *   program
 */
export async function openPostgresDataSet(url: string): Promise<DataSet> {
  let connection: Connection | undefined
  try {
    connection = await connect(url, 'migrate')
    await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const version = await schemaVersionOf(connection)
    checkSchemaVersion('the database', version, migrations.length)
    return dataSetOn(connection)
  } catch (error) {
    await connection?.close()
    throw definiteErrorOf(error)
  }
}

export async function schemaVersionOf(connection: Connection): Promise<number> {
  if (!(await tableExists(connection, 'schema_migration'))) return 0
  const [newest] = await connection.query<{ version: number }>(
    'SELECT coalesce(max(version), 0) AS version FROM schema_migration',
  )
  return newest?.version ?? 0
}

/** The transactions with the archived ones, as a subquery. */
const allTransactions = `(${['payment_transaction', 'archived_payment_transaction']
  .map((table) => `SELECT ${columnList('payment_transaction')} FROM ${table}`)
  .join(' UNION ALL ')})`

/** @param connection the connection that is closed with the data set */
export function dataSetOn(connection: Connection): DataSet {
  async function query<Row extends object>(sql: string, values: readonly SqlValue[] = []): Promise<Row[]> {
    try {
      return await connection.query<Row>(numberParameters(sql), values)
    } catch (error) {
      throw definiteErrorOf(error)
    }
  }

  return {
    ...dataSetReads(query, (table) => (table === 'payment_transaction' ? allTransactions : `"${table}"`)),
    // PostgreSQL has no such check in SQL. A server with data checksums fails a query that reads a damaged page.
    integrityErrors: async () => [],
    missingPartitions: async () => missingPartitions({ query }, await serverTime({ query })),
    hasUnfinishedMove: () => tableExists({ query }, moveTable),
    close: () => connection.close(),
  }
}
