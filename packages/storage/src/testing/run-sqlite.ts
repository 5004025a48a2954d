import { openReader, openWriter } from '../sqlite/database.ts'

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

/** The rows of a query of a SQLite file that no process has open. */
export async function querySqlite<Row extends object>(file: string, sql: string): Promise<Row[]> {
  const database = openReader(file)
  try {
    const rows: Row[] = database.prepare(sql).all()
    return rows
  } finally {
    database.close()
  }
}

/** The bytes of the pages of each table with its indexes, of a SQLite file that no process has open. */
export function sqliteTableBytes(file: string): ReadonlyMap<string, number> {
  const database = openReader(file)
  try {
    const rows: { readonly name: string; readonly bytes: number }[] = database
      .prepare(
        `SELECT tbl_name AS name, sum(pgsize) AS bytes FROM dbstat JOIN sqlite_schema USING (name) GROUP BY tbl_name`,
      )
      .all()
    return new Map(rows.map(({ name, bytes }) => [name, bytes]))
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
