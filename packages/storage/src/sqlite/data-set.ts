import { existsSync } from 'node:fs'
import { type DataSet, dataSetReads } from '../data-set.ts'
import { migrations } from '../migrations/index.ts'
import { checkSchemaVersion } from '../schema-version.ts'
import { StorageError } from '../storage-error.ts'
import { type Database, openReader, type PreparedStatement } from './database.ts'
import { storageErrorOf } from './faults.ts'

/**
 * Opens a snapshot of a file to which another process may write. Until the snapshot is closed, the write-ahead log
 * grows.
 * @throws StorageError `unavailable` if the file is missing or not a database; `incompatible` if its schema is not
 *   that of this program
 */
export function openSqliteDataSet(file: string): DataSet {
  checkExists(file)
  return nameFileInErrors(file, () => {
    const database = openReader(file)
    try {
      database.exec('BEGIN')
      checkSchemaVersion(file, schemaVersionOf(database), migrations.length)
      return dataSetOn(file, database)
    } catch (error) {
      database.close()
      throw error
    }
  })
}

/** @throws StorageError `unavailable` if the file is missing, which SQLite would create */
export function checkExists(file: string): void {
  if (!existsSync(file)) throw new StorageError('unavailable', `${file} does not exist`)
}

/** The number of migrations of a database; 0 if the database is not one of Tollgate. */
export function schemaVersionOf(database: Database): number {
  const [migrationTable] = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'schema_migration'`).all()
  if (!migrationTable) return 0
  const { version }: { version: number } = database
    .prepare('SELECT coalesce(max(version), 0) AS version FROM schema_migration')
    .get()
  return version
}

/** The errors that SQLite's integrity check finds in a file. */
export function integrityErrorsOf(database: Database): readonly string[] {
  const rows: { integrity_check: string }[] = database.prepare('PRAGMA integrity_check').all()
  return rows.map((row) => row.integrity_check).filter((line) => line !== 'ok')
}

function dataSetOn(file: string, database: Database): DataSet {
  const statements = new Map<string, PreparedStatement>()
  function statementFor(sql: string): PreparedStatement {
    const statement = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }

  return {
    ...dataSetReads(async (sql, values) => nameFileInErrors(file, () => statementFor(sql).all(...values))),
    integrityErrors: async () => nameFileInErrors(file, () => integrityErrorsOf(database)),
    missingPartitions: async () => [],
    hasUnfinishedMove: async () => false,
    // The snapshot ends before the connection is closed: SQLite keeps a closed connection open until its statements are
    // finalised, and an open snapshot would prevent the truncation of the write-ahead log.
    close: async () => {
      if (database.isOpen) database.exec('ROLLBACK')
      database.close()
    },
  }
}

/** Runs an action. An error becomes a StorageError whose message names the file; `unknown` becomes `unavailable`. */
export function nameFileInErrors<T>(file: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    const { kind, message } = storageErrorOf(error)
    throw new StorageError(
      kind === 'unknown' ? 'unavailable' : kind,
      message.includes(file) ? message : `${file}: ${message}`,
    )
  }
}
