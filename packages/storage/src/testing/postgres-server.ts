import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

/** A separate PostgreSQL server for a test. */
export interface PostgresServer {
  /** Address of its database `postgres`, as the superuser. */
  readonly url: string
  /** Shuts the server down immediately: its next start recovers the data, as after a power cut. */
  readonly crash: () => Promise<void>
  /** Ends its sessions and then the server. */
  readonly stop: () => Promise<void>
  /** Starts the server again, on the same port and data. */
  readonly start: () => Promise<void>
  /** Stops the server and removes its data. */
  readonly remove: () => Promise<void>
}

const debianFolder = '/usr/lib/postgresql'

/**
 * The folder of the newest programs of PostgreSQL in Debian's folder, else the first folder of the search path that
 * contains such programs; undefined if there is none.
 * @param path the environment variable PATH
 */
export function findPrograms(path: string): string | undefined {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder) : []
  const newestFirst = versions.toSorted((a, b) => Number(b) - Number(a))
  const installed = newestFirst.map((version) => join(debianFolder, version, 'bin'))
  return [...installed, ...path.split(':')].find((folder) => existsSync(join(folder, 'initdb')))
}

/**
 * Creates and starts a server, which listens on 127.0.0.1 only. If this process exits before `remove`, the server is
 * stopped and its data are removed.
 * @param programs the folder of its programs
 * @param settings further settings, as `name=value`
 * @param primary the primary, if the server is a standby
 */
export async function startPostgres(
  programs: string,
  settings: readonly string[] = [],
  primary?: PostgresServer,
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-postgres-'))
  const user = serverUser()
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const processOptions = { ...user, cwd: folder }
  const [program, ...options] = primary
    ? ['pg_basebackup', '-D', data, '-d', primary.url, '-R', '-c', 'fast', '--no-sync']
    : ['initdb', '-D', data, '-U', 'tollgate', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  execFileSync(join(programs, program ?? ''), options, { ...processOptions, stdio: 'ignore' })
  const port = await freePort()
  const ownSettings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'log_min_messages=panic',
  ]
  let server: ChildProcess | undefined

  async function start(): Promise<void> {
    const flags = [...ownSettings, 'log_min_error_statement=panic', ...settings].flatMap((setting) => ['-c', setting])
    server = spawn(join(programs, 'postgres'), ['-D', data, ...flags], { ...processOptions, stdio: 'ignore' })
    const isReady = () => {
      try {
        execFileSync(join(programs, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', port])
        return true
      } catch {
        return false
      }
    }
    while (!isReady()) {
      if (server.exitCode !== null) throw new Error('the PostgreSQL server of the tests did not start')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  /** SIGINT ends all sessions first, SIGQUIT ends the server at once. */
  async function end(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    if (!server || server.exitCode !== null) return
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
  }

  const cleanUp = () => {
    server?.kill('SIGQUIT')
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }

  process.once('exit', cleanUp)
  await start()
  return {
    url: `postgres://tollgate@127.0.0.1:${port}/postgres`,
    crash: () => end('SIGQUIT'),
    stop: () => end('SIGINT'),
    start,
    remove: async () => {
      process.removeListener('exit', cleanUp)
      await end('SIGQUIT')
      rmSync(folder, { recursive: true })
    },
  }
}

/** The user of Debian's package if this process runs as root, because the server refuses to run as root. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}
