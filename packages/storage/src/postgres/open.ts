import { buildIndexes } from './build-indexes.ts'
import { limits } from '../limits.ts'
import type { Storage } from '../port.ts'
import { storageOf } from '../storage.ts'
import { deleteOldReplies } from './apply.ts'
import { startCommitter } from './commit.ts'
import { compiledMigrations } from './compiled-migrations.ts'
import { checkServer, type Connection, connect } from './database.ts'
import { migrate, whileLocked } from './migrate.ts'
import { keepPartitions, partitionEmpty, serverTime } from './partitions.ts'
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
    await whileLocked(first, async () => partitionEmpty(first, await serverTime(first)))
    await checkRights(first)
    await deleteOldReplies(first)
    for (let index = 0; index < limits.postgresBatches; index += 1) connections.push(await connect(url, 'commit'))
  } catch (error) {
    await Promise.all(connections.map((each) => each.close()))
    throw openingError(error)
  }
  const [migrator, ...committing] = connections
  // Partitions and indexes are made in the background; after a failure the next call or start continues.
  const made =
    migrator &&
    serverTime(migrator)
      .then((atMs) => keepPartitions(migrator, atMs))
      .catch(() => undefined)
      .then(() => buildIndexes(migrator))
      .catch(() => undefined)
      .then(() => migrator.close())
  const months = setInterval(() => void keepPartitionsOf(url), limits.monthsMs).unref()
  const committer = startCommitter(url, committing)
  return storageOf(postgresReader(url), {
    ...committer,
    close: async () => {
      clearInterval(months)
      await Promise.all([committer.close(), migrator?.close(), made])
    },
  })
}

/** Repeats `keepPartitions` on a connection of its own. After a failure, the next call continues. */
async function keepPartitionsOf(url: string): Promise<void> {
  let connection: Connection | undefined
  try {
    connection = await connect(url, 'migrate')
    await keepPartitions(connection, await serverTime(connection))
  } catch {
    // The server cannot be reached, or a lock is held long.
  }
  await connection?.close()
}
