import { buildIndexes } from './build-indexes.ts'
import { limits } from '../limits.ts'
import type { Storage } from '../port.ts'
import { storageOf } from '../storage.ts'
import { deleteOldReplies } from './apply.ts'
import { startCommitter } from './commit.ts'
import { compiledMigrations } from './compiled-migrations.ts'
import { checkServer, type Connection, connect } from './database.ts'
import { migrate } from './migrate.ts'
import { postgresReader } from './read.ts'
import { openingError } from './remedies.ts'
import { checkRights } from './rights.ts'

export interface PostgresOptions {
  /**
   * postgres://user:password@host:port/database, whose password no message contains. With `?sslmode=verify-full`, and
   * `&sslrootcert=` for the file of a private CA, the connection is encrypted and the server's certificate is verified.
   */
  readonly url: string
}

/**
 * Opens a PostgreSQL database, which any number of processes may share, and migrates it if needed.
 *
 * After a connection is lost, the outcome of its units is looked up on another connection, and its reads are repeated.
 * In a long outage units in flight are rejected as `unknown`, other units and reads as `unavailable`.
 * @throws StorageError `incompatible` if another program or a newer version has migrated the database, a move into it
 *   is unfinished, its encoding is not UTF8, or the server is too old;
 *   `unavailable` if the server cannot be reached, refuses the user or is read-only, or the user lacks rights. If the
 *   cause is known, the message names the remedy.
 */
export async function openPostgres({ url }: PostgresOptions): Promise<Storage> {
  const connections: Connection[] = []
  try {
    const first = await connect(url, 'migrate')
    connections.push(first)
    await checkServer(first)
    await migrate(first, compiledMigrations())
    await checkRights(first)
    await deleteOldReplies(first)
    for (let index = 0; index < limits.postgresBatches; index += 1) connections.push(await connect(url, 'commit'))
  } catch (error) {
    await Promise.all(connections.map((each) => each.close()))
    throw openingError(error)
  }
  const [migrator, ...committing] = connections
  // The build runs in the background; after a failure the next start repeats it.
  const built =
    migrator &&
    buildIndexes(migrator)
      .catch(() => undefined)
      .then(() => migrator.close())
  const committer = startCommitter(url, committing)
  return storageOf(postgresReader(url), {
    ...committer,
    close: async () => void (await Promise.all([committer.close(), migrator?.close(), built])),
  })
}
