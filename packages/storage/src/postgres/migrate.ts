import { checkHistory, type RecordedMigration } from '../migrations/check-history.ts'
import type { CompiledMigration } from '../migrations/migration.ts'
import { StorageError } from '../storage-error.ts'
import type { Connection } from './database.ts'
import { watchedTableSql } from './notifications.ts'

/** The advisory lock of the process that migrates: an arbitrary number. */
const lockNumber = 7_055_418_351

/**
 * The tables of the dialect itself. commit_reply: the outcome of a batch, written with the batch and deleted after the
 * reply has arrived; a row without a reply prevents the execution of a lost batch. `unmet` counts rows that the reply
 * reports as written, although another process has prevented the write.
 */
const ownTables = [
  ...watchedTableSql,
  `CREATE TABLE schema_migration (version integer PRIMARY KEY, name text NOT NULL, reason text NOT NULL)`,
  `CREATE TABLE commit_reply (
    id text COLLATE "C" PRIMARY KEY,
    reply text,
    unmet bigint NOT NULL CONSTRAINT commit_reply_race CHECK (unmet = 0),
    created_at timestamptz NOT NULL DEFAULT now())`,
]

/** The table with the progress of a move into the database. It exists until the move is complete. */
export const moveTable = 'unfinished_move'

/**
 * Migrates the database to the newest schema. Each migration is a transaction with the row that records it; the first
 * one also creates the tables of the dialect, so that its failure leaves no tables. A user without the right to
 * create tables can open a database that is up to date.
 * @throws StorageError `incompatible` if a newer version of this program has migrated the database too far, another
 *   program has migrated it, or a move into it is incomplete
 */
export function migrate(connection: Connection, migrations: readonly CompiledMigration[]): Promise<void> {
  return whileLocked(connection, async () => {
    if (await tableExists(connection, moveTable)) {
      throw new StorageError(
        'incompatible',
        'the database contains an unfinished move: run tollgate migrate again to complete it',
      )
    }
    await applyMigrations(connection, migrations)
  })
}

/** Runs a task while no other process migrates. */
export async function whileLocked<T>({ query }: Connection, task: () => Promise<T>): Promise<T> {
  await query(`SELECT pg_advisory_lock(${lockNumber})`)
  try {
    return await task()
  } finally {
    // The server has already released the lock of a lost connection.
    await query(`SELECT pg_advisory_unlock(${lockNumber})`).catch(() => {})
  }
}

export async function tableExists({ query }: Pick<Connection, 'query'>, table: string): Promise<boolean> {
  const [row] = await query<{ name: string | null }>(`SELECT to_regclass($1)::text AS name`, [table])
  return typeof row?.name === 'string'
}

/** Migrates, while the caller holds the lock. */
export async function applyMigrations(connection: Connection, migrations: readonly CompiledMigration[]): Promise<void> {
  const { query } = connection
  const hasHistory = await tableExists(connection, 'schema_migration')
  const recorded = hasHistory
    ? await query<RecordedMigration>('SELECT version, name FROM schema_migration ORDER BY version')
    : []
  const applied = checkHistory('the database', recorded, migrations)
  for (const [index, { name, reason, steps }] of migrations.entries()) {
    if (index < applied) continue
    await query('BEGIN')
    try {
      for (const step of [...(hasHistory || index > 0 ? [] : ownTables), ...steps]) await query(step)
      await query('INSERT INTO schema_migration (version, name, reason) VALUES ($1, $2, $3)', [index + 1, name, reason])
      await query('COMMIT')
    } catch (error) {
      await query('ROLLBACK').catch(() => {})
      throw error
    }
  }
}
