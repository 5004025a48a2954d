import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findPrograms, newDatabase, type PostgresServer, runSql, startPostgres } from '@tollgate/storage/testing'
import { gatewayMain } from './server-process.ts'

/** Settings of a gateway; without an address of a database it uses SQLite. */
interface Settings {
  readonly [name: string]: string
}

/** The storage of the gateways in a part of the benchmark. */
export interface Store {
  readonly name: string
  /** @returns the settings with which a gateway uses an empty storage of this kind */
  readonly create: () => Promise<Settings>
  /**
   * @param data a data folder that was prepared with SQLite
   * @returns the settings with which a gateway uses these data in this storage
   */
  readonly migrate: (data: string) => Promise<Settings>
  readonly close: () => Promise<void>
}

export const sqliteStore: Store = {
  name: 'SQLite',
  create: async () => ({}),
  migrate: async () => ({}),
  close: async () => undefined,
}

const run = promisify(execFile)

/**
 * Starts a new PostgreSQL server, to which data are migrated with `tollgate migrate`.
 * @returns undefined if PostgreSQL is not installed
 */
export async function createPostgresStore(): Promise<Store | undefined> {
  const server = await startPostgresServer()
  if (!server) return undefined
  const create = async () => ({ TOLLGATE_DATABASE_URL: await newDatabase(server.url) })
  return {
    name: 'PostgreSQL',
    create,
    async migrate(data) {
      const settings = await create()
      await run(process.execPath, [gatewayMain, 'migrate'], {
        env: { PATH: process.env.PATH, TOLLGATE_DATA: data, ...settings },
      })
      // Without a checkpoint, PostgreSQL would write the migrated rows in the background for minutes.
      await runSql(settings.TOLLGATE_DATABASE_URL, 'CHECKPOINT')
      return settings
    },
    close: server.remove,
  }
}

/**
 * PostgreSQL's documentation advises a quarter of a server's memory: here that of a server with 8 GB. The default of
 * 128 MB suits only the smallest machines.
 */
const BUFFERS = 'shared_buffers=2GB'

/**
 * Starts a server with its default durability: every commit is on disk before it is answered.
 * @returns undefined if PostgreSQL is not installed
 */
export async function startPostgresServer(): Promise<(PostgresServer & { readonly programs: string }) | undefined> {
  const programs = findPrograms(process.env.PATH ?? '')
  return programs === undefined
    ? undefined
    : { ...(await startPostgres(programs, ['max_connections=200', BUFFERS])), programs }
}
