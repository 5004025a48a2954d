import { type DataSet, pageSql, straysSql } from '../data-set.ts'
import { limits } from '../limits.ts'
import { migrations } from '../migrations/index.ts'
import type { Schema } from '../schema.ts'
import { checkSchemaVersion } from '../schema-version.ts'
import { type Connection, connect } from './database.ts'
import { harmless } from './faults.ts'
import { isTableThere, moveTable } from './migrate.ts'

const bind = (place: number) => `$${place}`

/**
 * Reads all of a database, as it is when it is opened, beside whoever writes it; a standby will do.
 * @throws StorageError `unavailable` where it cannot be reached; `incompatible` where its schema is not this program's
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
    throw harmless(error)
  }
}

async function schemaVersionOf(connection: Connection): Promise<number> {
  if (!(await isTableThere(connection, 'schema_migration'))) return 0
  const [newest] = await connection.query<{ version: number }>(
    'SELECT coalesce(max(version), 0) AS version FROM schema_migration',
  )
  return newest?.version ?? 0
}

/** @param connection which closing the data set closes */
export function dataSetOn(connection: Connection): DataSet {
  async function ask<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read()
    } catch (error) {
      throw harmless(error)
    }
  }

  return {
    rowsAfter: (table, after) =>
      ask(() =>
        connection.query<Schema[typeof table]>(pageSql(table, after.length === 0, bind), [...after, limits.pageRows]),
      ),
    count: (table) =>
      ask(async () => {
        const [row] = await connection.query<{ rows: number }>(`SELECT count(*) AS rows FROM "${table}"`)
        return row?.rows ?? 0
      }),
    strays: (reference, max) =>
      ask(async () => {
        const rows = await connection.query<{ key: string }>(straysSql(reference, bind), [max])
        return rows.map(({ key }) => key)
      }),
    // A server that keeps checksums refuses to read what is damaged.
    damages: async () => [],
    isUnfinished: () => ask(() => isTableThere(connection, moveTable)),
    close: () => connection.close(),
  }
}
