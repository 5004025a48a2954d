import { buildIndexes } from './build-indexes.ts'
import { limits } from '../limits.ts'
import type { Storage } from '../port.ts'
import { storageOf } from '../storage.ts'
import { forgetReplies } from './apply.ts'
import { startCommitter } from './commit.ts'
import { compiledMigrations } from './compiled-migrations.ts'
import { checkServer, type Connection, connect } from './database.ts'
import { migrate } from './migrate.ts'
import { postgresReader } from './read.ts'
import { openingError } from './remedies.ts'
import { checkRights } from './rights.ts'

export interface PostgresOptions {
  /**
   * postgres://user:password@host:port/database. No message repeats it. With `?sslmode=verify-full`, and
   * `&sslrootcert=` the file of a CA of one's own, the connection is encrypted and the server must prove its name.
   */
  readonly url: string
}

/**
 * Opens, and if need be migrates, a PostgreSQL database, which any number of processes may share.
 *
 * A connection that is lost later ends nothing: the outcome of the units under way is looked up on a new one, and reads
 * are repeated there. Units reject as `unknown` only where there is none for long; all others and reads then reject as
 * `unavailable`.
 * @throws StorageError `incompatible` when a newer program has migrated the database too far, or the server is too
 *   old; `unavailable` when it cannot be reached or refuses us. The message says what can be done.
 */
export async function openPostgres({ url }: PostgresOptions): Promise<Storage> {
  const connections: Connection[] = []
  try {
    const first = await connect(url, 'migrate')
    connections.push(first)
    await checkServer(first)
    await migrate(first, compiledMigrations())
    await checkRights(first)
    await forgetReplies(first)
    for (let index = 0; index < limits.postgresBatches; index += 1) connections.push(await connect(url, 'commit'))
  } catch (error) {
    await Promise.all(connections.map((each) => each.close()))
    throw openingError(error)
  }
  const [migrator, ...committing] = connections
  // The start does not wait for it; after a failure the next start tries again.
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
