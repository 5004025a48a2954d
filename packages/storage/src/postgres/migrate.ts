import { checkHistory, type RecordedMigration } from '../migrations/check-history.ts'
import type { CompiledMigration } from '../migrations/migration.ts'
import { StorageError } from '../storage-error.ts'
import type { Connection } from './database.ts'
import { watchTables } from './watched.ts'

/** The advisory lock of the process that migrates: an arbitrary number. */
const lockNumber = 7_055_418_351

/**
 * The tables of the dialect itself. commit_reply: the outcome of a batch, written with it and deleted after it has
 * arrived; without a reply: a lost batch that must not be executed any more. `unmet` counts rows that the reply reports
 * as written and that are not, because of another process.
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

/** The progress of a move into the database; the table exists until the move has ended. */
export const moveTable = 'unfinished_move'

/**
 * Migrates the database to the newest schema. Each migration is a transaction with the row that records it; the first
 * one also creates the tables of the dialect, so that a failed start leaves nothing.
 * A user without the right to create tables can open a database that is up to date.
 * @throws StorageError `incompatible` if a newer version of this program has migrated it too far, or a move into it has
 *   not ended
 */
export function migrate(connection: Connection, migrations: readonly CompiledMigration[]): Promise<void> {
  return whileLocked(connection, async () => {
    if (await isTableThere(connection, moveTable)) {
      throw new StorageError(
        'incompatible',
        'the database contains an unfinished move: run tollgate migrate again to complete it',
      )
    }
    await makeTables(connection, migrations)
  })
}

/** Runs a task while no other process migrates. */
export async function whileLocked<T>({ query }: Connection, work: () => Promise<T>): Promise<T> {
  await query(`SELECT pg_advisory_lock(${lockNumber})`)
  try {
    return await work()
  } finally {
    // The lock of a lost connection is released already.
    await query(`SELECT pg_advisory_unlock(${lockNumber})`).catch(() => {})
  }
}

export async function isTableThere({ query }: Pick<Connection, 'query'>, table: string): Promise<boolean> {
  const [found] = await query<{ name: string | null }>(`SELECT to_regclass($1)::text AS name`, [table])
  return typeof found?.name === 'string'
}

/** Migrates, while the caller holds the lock. */
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
