import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findPrograms, newDatabase, type PostgresServer, runSql, startPostgres } from '@tollgate/storage/testing'
import { BenchError } from './bench-error.ts'
import { gatewayMain } from './server-process.ts'

/** The storage of the gateways in a part of the benchmark. */
export interface Store {
  readonly name: string
  /**
   * @param data a data folder that was prepared with SQLite
   * @returns the settings with which a gateway uses these data in this storage
   */
  readonly migrate: (data: string) => Promise<Readonly<Record<string, string>>>
  readonly close: () => Promise<void>
}

export const sqliteStore: Store = { name: 'SQLite', migrate: async () => ({}), close: async () => undefined }

const run = promisify(execFile)

/** Starts a new PostgreSQL server, to which data are migrated with `tollgate migrate`. */
export async function createPostgresStore(): Promise<Store> {
  const server = await startPostgresServer()
  if (!server) throw new BenchError('PostgreSQL is not installed: install it, or measure with SQLite')
  return {
    name: 'PostgreSQL',
    async migrate(data) {
      const settings = { TOLLGATE_DATABASE_URL: await newDatabase(server.url) }
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
