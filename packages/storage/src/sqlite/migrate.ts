import type { CompiledMigration } from '../migrations/migration.ts'
import { StorageError } from '../storage-error.ts'
import type { Database } from './database.ts'

/**
 * Brings the database to the newest schema, each migration in a transaction of its own with the row that records it.
 * @throws StorageError `incompatible` when a newer version of this program has migrated it further.
 */
export function migrate(database: Database, migrations: readonly CompiledMigration[]): void {
  database.exec(`CREATE TABLE IF NOT EXISTS schema_migration (
    version INTEGER PRIMARY KEY, name TEXT NOT NULL, reason TEXT NOT NULL) STRICT`)
  const newest = database.prepare('SELECT coalesce(max(version), 0) AS version FROM schema_migration')
  const { version }: { version: number } = newest.get()
  if (version > migrations.length) {
    const file = database.location() ?? 'the database'
    throw new StorageError(
      'incompatible',
      `${file} has schema ${version}, newer than ${migrations.length}, the newest that this program knows`,
    )
  }
  const record = database.prepare('INSERT INTO schema_migration (version, name, reason) VALUES (?, ?, ?)')
  for (const [index, { name, reason, steps }] of migrations.entries()) {
    if (index < version) continue
    database.exec('BEGIN IMMEDIATE')
    try {
      for (const step of steps) database.exec(step)
      record.run(index + 1, name, reason)
      database.exec('COMMIT')
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  }
}
