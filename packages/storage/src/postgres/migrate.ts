import { checkHistory, type RecordedMigration } from '../migrations/check-history.ts'
import type { CompiledMigration } from '../migrations/migration.ts'
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
 * Brings the database to the newest schema, each migration in a transaction of its own with the row that records it;
 * the first one makes our own tables too, so that a start that fails leaves nothing.
 * A user who may not create tables can still open a database that is up to date.
 * @throws StorageError `incompatible` when a newer version of this program has migrated it too far.
 */
export async function migrate({ query }: Connection, migrations: readonly CompiledMigration[]): Promise<void> {
  await query(`SELECT pg_advisory_lock(${lockNumber})`)
  try {
    const [own] = await query<{ name: string | null }>(`SELECT to_regclass('schema_migration')::text AS name`)
    const recorded = own?.name
      ? await query<RecordedMigration>('SELECT version, name FROM schema_migration ORDER BY version')
      : []
    const made = checkHistory('the database', recorded, migrations)
    for (const [index, { name, reason, steps }] of migrations.entries()) {
      if (index < made) continue
      await query('BEGIN')
      try {
        for (const step of [...(own?.name || index > 0 ? [] : ownTables), ...steps]) await query(step)
        await query('INSERT INTO schema_migration (version, name, reason) VALUES ($1, $2, $3)', [
          index + 1,
          name,
          reason,
        ])
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
