import { openWriter } from '../sqlite/database.ts'

/** Runs SQL on a SQLite file that no process has open, as an operator's shell would. */
export function runSqlite(file: string, sql: string): void {
  const database = openWriter(file)
  try {
    database.exec(sql)
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    database.close()
  }
}

/** Deletes the rows of all tables of a SQLite file, which may be in use, except `schema_migration`. */
export function emptySqlite(file: string): void {
  const database = openWriter(file)
  try {
    const tables: { readonly name: string }[] = database
      .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'schema_migration'`)
      .all()
    database.exec(['BEGIN IMMEDIATE', ...tables.map(({ name }) => `DELETE FROM "${name}"`), 'COMMIT'].join('; '))
  } finally {
    database.close()
  }
}
