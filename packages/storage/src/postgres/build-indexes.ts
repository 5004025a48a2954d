import { compiledIndexes } from './compiled-migrations.ts'
import type { Connection } from './database.ts'

/** Number of the advisory lock under which one process builds indexes; an arbitrary one. */
const lockNumber = 7_055_418_352

/**
 * Builds the indexes of tables that grow, while payments go on. Each is built by one process, and anew where a build
 * was broken off; without it queries give the same answers, but slowly. The lock is lost with the connection.
 *
 * @throws the errors of the connection; the next start tries again
 */
export async function buildIndexes({ query }: Connection): Promise<void> {
  // Not waited for: a session that waits for a lock keeps its snapshot, and the build would wait for that.
  const [lock] = await query<{ isTaken: boolean }>(`SELECT pg_try_advisory_lock(${lockNumber}) AS "isTaken"`)
  if (!lock?.isTaken) return
  for (const { name, statement } of compiledIndexes()) {
    const [found] = await query<{ isValid: boolean }>(
      `SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass($1)`,
      [name],
    )
    if (found?.isValid) continue
    if (found) await query(`DROP INDEX CONCURRENTLY IF EXISTS "${name}"`)
    await query(statement)
  }
}
