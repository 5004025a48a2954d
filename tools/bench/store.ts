import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findPrograms, newDatabase, type PostgresServer, runSql, startPostgres } from '@tollgate/storage/testing'
import { BenchError } from './bench-error.ts'
import { gatewayMain } from './served.ts'

/** Where the gateways of a part store. */
export interface Store {
  readonly name: string
  /**
   * @param data the folder in which something was prepared in a file of SQLite
   * @returns the settings with which a gateway uses the same data there
   */
  readonly take: (data: string) => Promise<Readonly<Record<string, string>>>
  readonly close: () => Promise<void>
}

export const inFile: Store = { name: 'SQLite', take: async () => ({}), close: async () => undefined }

const run = promisify(execFile)

/** A server of our own, into which data are moved as an operator moves them. */
export async function onPostgres(): Promise<Store> {
  const server = await startServer()
  if (!server) throw new BenchError('there is no PostgreSQL on this machine')
  return {
    name: 'PostgreSQL',
    async take(data) {
      const settings = { TOLLGATE_DATABASE_URL: await newDatabase(server.url) }
      await run(process.execPath, [gatewayMain, 'migrate'], {
        env: { PATH: process.env.PATH, TOLLGATE_DATA: data, ...settings },
      })
      // Otherwise it would write the migrated rows for minutes.
      await runSql(settings.TOLLGATE_DATABASE_URL, 'CHECKPOINT')
      return settings
    },
    close: server.remove,
  }
}

/** Its default is for the smallest of machines; its documentation advises a quarter of the memory of a server. */
const BUFFERS = 'shared_buffers=2GB'

/**
 * A server with its own settings: each commit is on disk before it is answered.
 * @returns undefined where there is no PostgreSQL
 */
export async function startServer(): Promise<(PostgresServer & { readonly programs: string }) | undefined> {
  const programs = findPrograms(process.env.PATH ?? '')
  return programs === undefined
    ? undefined
    : { ...(await startPostgres(programs, ['max_connections=200', BUFFERS])), programs }
}
