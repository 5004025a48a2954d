import { existsSync } from 'node:fs'
import { type DataSet, pageSql, straysSql } from '../data-set.ts'
import { limits } from '../limits.ts'
import { migrations } from '../migrations/index.ts'
import type { Schema } from '../schema.ts'
import { checkSchemaVersion } from '../schema-version.ts'
import { StorageError } from '../storage-error.ts'
import { type Database, openReader, type Statement } from './database.ts'
import { storageErrorOf } from './faults.ts'

/**
 * Reads all of a file beside whoever writes it. Until it is closed the file stays for it what it was when it was
 * opened, so that the write-ahead log grows meanwhile.
 * @throws StorageError `unavailable` where there is no such file, or no database; `incompatible` where its schema is
 *   not this program's
 */
export function openSqliteDataSet(file: string): DataSet {
  checkIsThere(file)
  return reading(file, () => {
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

/** @throws StorageError `unavailable`; SQLite would make the file */
export function checkIsThere(file: string): void {
  if (!existsSync(file)) throw new StorageError('unavailable', `${file} is not there`)
}

/** How many migrations a database has had; 0 of one that is not ours. */
export function schemaVersionOf(database: Database): number {
  const [own] = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'schema_migration'`).all()
  if (!own) return 0
  const { version }: { version: number } = database
    .prepare('SELECT coalesce(max(version), 0) AS version FROM schema_migration')
    .get()
  return version
}

/** What SQLite finds wrong with the pages of a file; nothing of a sound one. */
export function damagesOf(database: Database): readonly string[] {
  const rows: { integrity_check: string }[] = database.prepare('PRAGMA integrity_check').all()
  return rows.map((row) => row.integrity_check).filter((line) => line !== 'ok')
}

function dataSetOn(file: string, database: Database): DataSet {
  const bind = () => '?'
  // Each is prepared when it is first read.
  const statements = new Map<string, Statement>()
  function prepared(sql: string): Statement {
    const statement = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  const ask = async <T>(read: () => T) => reading(file, read)

  return {
    rowsAfter: (table, after) =>
      ask((): Schema[typeof table][] => {
        const page = prepared(pageSql(table, after.length === 0, bind))
        return page.all(...after, limits.pageRows)
      }),
    count: (table) => ask((): number => database.prepare(`SELECT count(*) AS rows FROM "${table}"`).get().rows),
    strays: (reference, max) =>
      ask(() => {
        const rows: { key: string }[] = database.prepare(straysSql(reference, bind)).all(max)
        return rows.map(({ key }) => key)
      }),
    damages: () => ask(() => damagesOf(database)),
    isUnfinished: async () => false,
    // A closed one lives on until its statements are collected, and what it reads would stay in the log.
    close: async () => {
      if (database.isOpen) database.exec('ROLLBACK')
      database.close()
    },
  }
}

/** Reads; what fails names the file. */
export function reading<T>(file: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const { kind, message } = storageErrorOf(error)
    throw new StorageError(
      kind === 'unknown' ? 'unavailable' : kind,
      message.includes(file) ? message : `${file}: ${message}`,
    )
  }
}
