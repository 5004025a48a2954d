import type { CompiledMigration } from '../migrations/migration.ts'
import { StorageError } from '../storage-error.ts'
import type { Connection } from './database.ts'
import { watchTables } from './watched.ts'

/** Names the lock under which one process migrates at a time: any number that nobody else uses. */
const lockNumber = 7_055_418_351

/**
 * What this dialect keeps for itself. commit_reply: what a batch came to, written along with it, until it is known to
 * have arrived; without a reply: a batch that was lost and may not be written any more. `unmet` counts what the reply
 * says was written and was not, which another process can bring about.
 */
const ownTables = [
  ...watchTables,
  `CREATE TABLE schema_migration (version integer PRIMARY KEY, name text NOT NULL, reason text NOT NULL)`,
  `CREATE TABLE commit_reply (
    id text COLLATE "C" PRIMARY KEY,
    reply text,
    unmet bigint NOT NULL CONSTRAINT commit_reply_race CHECK (unmet = 0),
    created_at timestamptz NOT NULL DEFAULT now())`,
]

/**
 * Brings the database to the newest schema, each migration in a transaction of its own with the row that records it.
 * A user who may not create tables can still open a database that is up to date.
 * @throws StorageError `incompatible` when a newer version of this program has migrated it further.
 */
export async function migrate({ query }: Connection, migrations: readonly CompiledMigration[]): Promise<void> {
  await query(`SELECT pg_advisory_lock(${lockNumber})`)
  try {
    const [own] = await query<{ name: string | null }>(`SELECT to_regclass('schema_migration')::text AS name`)
    if (!own?.name) await query(ownTables.join('; '))
    const [newest] = await query<{ version: number }>(
      'SELECT coalesce(max(version), 0) AS version FROM schema_migration',
    )
    const version = newest?.version ?? 0
    if (version > migrations.length) {
      throw new StorageError(
        'incompatible',
        `the database has schema ${version}, newer than ${migrations.length}, the newest that this program knows`,
      )
    }
    for (const [index, { name, reason, steps }] of migrations.entries()) {
      if (index < version) continue
      await query('BEGIN')
      try {
        for (const step of steps) await query(step)
        await query('INSERT INTO schema_migration VALUES ($1, $2, $3)', [index + 1, name, reason])
        await query('COMMIT')
      } catch (error) {
        await query('ROLLBACK').catch(() => {})
        throw error
      }
    }
  } finally {
    // With a lost connection the lock is gone already.
    await query(`SELECT pg_advisory_unlock(${lockNumber})`).catch(() => {})
  }
}
