import { openWriter } from '../sqlite/database.ts'

/** What an operator's shell would do to a SQLite file that nobody has open. */
export function runSqlite(file: string, sql: string): void {
  const database = openWriter(file)
  try {
    database.exec(sql)
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    database.close()
  }
}
