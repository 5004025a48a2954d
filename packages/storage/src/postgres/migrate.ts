import { checkHistory, type RecordedMigration } from '../migrations/check-history.ts'
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

/** What a move from elsewhere keeps of its progress; it is there for as long as the move has not ended. */
export const moveTable = 'unfinished_move'

/**
 * Brings the database to the newest schema, each migration in a transaction of its own with the row that records it;
 * the first one makes our own tables too, so that a start that fails leaves nothing.
 * A user who may not create tables can still open a database that is up to date.
 * @throws StorageError `incompatible` when a newer version of this program has migrated it too far, or a move into it
 *   has not ended.
 */
export function migrate(connection: Connection, migrations: readonly CompiledMigration[]): Promise<void> {
  return whileLocked(connection, async () => {
    if (await isTableThere(connection, moveTable)) {
      throw new StorageError(
        'incompatible',
        'it holds an unfinished move: run tollgate migrate again until that has ended',
      )
    }
    await makeTables(connection, migrations)
  })
}

/** Does something that only one process does at a time, and none while another migrates. */
export async function whileLocked<T>({ query }: Connection, work: () => Promise<T>): Promise<T> {
  await query(`SELECT pg_advisory_lock(${lockNumber})`)
  try {
    return await work()
  } finally {
    // With a lost connection the lock is gone already.
    await query(`SELECT pg_advisory_unlock(${lockNumber})`).catch(() => {})
  }
}

export async function isTableThere({ query }: Connection, table: string): Promise<boolean> {
  const [found] = await query<{ name: string | null }>(`SELECT to_regclass($1)::text AS name`, [table])
  return typeof found?.name === 'string'
}

/** What `migrate` does, by whoever holds the lock. */
export async function makeTables(connection: Connection, migrations: readonly CompiledMigration[]): Promise<void> {
  const { query } = connection
  const isOld = await isTableThere(connection, 'schema_migration')
  const recorded = isOld
    ? await query<RecordedMigration>('SELECT version, name FROM schema_migration ORDER BY version')
    : []
  const made = checkHistory('the database', recorded, migrations)
  for (const [index, { name, reason, steps }] of migrations.entries()) {
    if (index < made) continue
    await query('BEGIN')
    try {
      for (const step of [...(isOld || index > 0 ? [] : ownTables), ...steps]) await query(step)
      await query('INSERT INTO schema_migration (version, name, reason) VALUES ($1, $2, $3)', [index + 1, name, reason])
      await query('COMMIT')
    } catch (error) {
      await query('ROLLBACK').catch(() => {})
      throw error
    }
  }
}
