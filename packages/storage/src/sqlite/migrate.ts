import { checkHistory, type RecordedMigration } from '../migrations/check-history.ts'
import type { CompiledMigration } from '../migrations/migration.ts'
import type { Database } from './database.ts'

const ownTable = `CREATE TABLE schema_migration (
  version INTEGER PRIMARY KEY, name TEXT NOT NULL, reason TEXT NOT NULL) STRICT`

/**
 * Migrates the database to the newest schema. Each migration is a transaction with the row that records it; the first
 * one also creates the table of these rows, so that its failure leaves no tables.
 * @throws StorageError `incompatible` if a newer version of this program has migrated the database too far, or
 *   another program has migrated it
 */
export function migrate(database: Database, migrations: readonly CompiledMigration[]): void {
  const isNew = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'schema_migration'`).get() === undefined
  const recorded: RecordedMigration[] = isNew
    ? []
    : database.prepare('SELECT version, name FROM schema_migration ORDER BY version').all()
  const applied = checkHistory(database.location() ?? 'the database', recorded, migrations)
  for (const [index, { name, reason, steps }] of migrations.entries()) {
    if (index < applied) continue
    database.exec('BEGIN IMMEDIATE')
    try {
      for (const step of [...(isNew && index === 0 ? [ownTable] : []), ...steps]) database.exec(step)
      const record = database.prepare('INSERT INTO schema_migration (version, name, reason) VALUES (?, ?, ?)')
      record.run(index + 1, name, reason)
      database.exec('COMMIT')
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }
}
