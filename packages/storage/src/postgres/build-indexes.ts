import { compiledIndexes } from './compiled-migrations.ts'
import type { Connection } from './database.ts'

/** The advisory lock of the process that builds indexes: an arbitrary number. */
const lockNumber = 7_055_418_353

/**
 * Builds the indexes of tables that grow, while payments proceed. One process builds all of them; an index whose build
 * was interrupted is built again. Without an index, queries are correct, but slow. The lock is released when the
 * connection is closed.
 *
 * @throws the errors of the connection; the next start repeats the build
 */
export async function buildIndexes({ query }: Connection): Promise<void> {
  // The query does not wait for the lock: a waiting session keeps its snapshot, and the build of the process with the
  // lock waits until all older snapshots are released, so that neither process would continue.
  const [lock] = await query<{ isAcquired: boolean }>(`SELECT pg_try_advisory_lock(${lockNumber}) AS "isAcquired"`)
  if (!lock?.isAcquired) return
  for (const { name, statement } of compiledIndexes()) {
    const [existing] = await query<{ isValid: boolean }>(
      `SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass($1)`,
      [name],
    )
    if (existing?.isValid) continue
    if (existing) await query(`DROP INDEX CONCURRENTLY IF EXISTS "${name}"`)
    await query(statement)
  }
}
