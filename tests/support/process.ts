import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Answer, type Client, openClient } from './http.ts'
import { type Form, getPayment, post } from './payments.ts'

// The product as its users start it: in its own process, on a port that the operating system picks.

/** The data, settings and program with which a gateway is started. */
export interface Setup {
  /** The data folder, the value of TOLLGATE_DATA. */
  readonly data: string
  /** Further settings. */
  readonly env?: Readonly<Record<string, string>>
  /** Command-line options of Node for the default program. */
  readonly execArgv?: readonly string[]
  /** Default: `tollgate serve` of this checkout. */
  readonly program?: Program
}

/** Command, folder and user of a program that is started in place of the default. */
export interface Program {
  readonly command: readonly string[]
  readonly folder: string
  /** The id of the user and of the group; undefined: user and group of the tests. */
  readonly user: number | undefined
  /** The name before "listening on" in its output; by default that of the gateway. */
  readonly listenerName?: string
}

/** The exit code of a process, or the signal that ended it. */
export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A process that was started, and that may end before it listens. */
export interface LaunchedProcess {
  readonly pid: number
  /** The standard output so far. */
  readonly stdout: () => string
  /** The standard error output so far. */
  readonly stderr: () => string
  /** Resolves to the public address when the process listens there; rejects if the process ends earlier. */
  readonly listening: Promise<string>
  /** Resolves after its output has been read to the end. */
  readonly ended: Promise<Exit>
  readonly signal: (name: NodeJS.Signals) => void
}

/** A gateway that accepts connections. */
export interface GatewayProcess extends LaunchedProcess {
  readonly url: string
  readonly client: Client
  /** Posts a payment. */
  readonly pay: (form: Form, headers?: Readonly<Record<string, string>>) => Promise<Answer>
  /** Reads a payment. */
  readonly get: (id: string) => Promise<Answer>
  /** Sends SIGTERM. */
  readonly stop: () => Promise<Exit>
  readonly kill9: () => Promise<Exit>
  /** Waits until this process has ended, then starts another with the same setup. */
  readonly restart: () => Promise<GatewayProcess>
}

const children = new Set<ChildProcess>()
const clients = new Set<Client>()
const folders = new Set<string>()

process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** An empty folder, until `cleanUp`. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-e2e-'))
  folders.add(folder)
  return folder
}

/** Removes a folder before `cleanUp`, in tests with many folders. */
export function discard(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  folders.delete(folder)
}

/** Closes every client, kills every process and removes every folder of this test. */
export async function cleanUp(): Promise<void> {
  for (const client of clients) client.close()
  await Promise.all(
    [...children].map(async (child) => {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    }),
  )
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  for (const each of [clients, children, folders]) each.clear()
}

/** The program, as built. */
export const tollgate = fileURLToPath(new URL('../../../dist/tollgate.js', import.meta.url))

/** Starts the program, without the TOLLGATE_ settings of this process. */
export function launch({ data, env = {}, execArgv = [], program }: Setup): LaunchedProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TOLLGATE_'))
  const [command = '', ...args] = program?.command ?? [process.execPath, ...execArgv, tollgate, 'serve']
  const child = spawn(command, args, {
    cwd: program?.folder,
    ...(program?.user !== undefined && { uid: program.user, gid: program.user }),
    env: { ...Object.fromEntries(inherited), PORT: '0', TOLLGATE_DATA: data, TOLLGATE_LOG: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  const ended = once(child, 'close').then((): Exit => {
    children.delete(child)
    return { code: child.exitCode, signal: child.signalCode }
  })
  let [stdout, stderr] = ['', '']
  child.stderr.on('data', (text) => (stderr += String(text)))
  const listeningLine = new RegExp(`^${program?.listenerName ?? 'Tollgate'} listening on (\\S+)\\n`, 'm')
  const address = new Promise<string>((resolve) => {
    child.stdout.on('data', (text) => {
      stdout += String(text)
      const [, url] = listeningLine.exec(stdout) ?? []
      if (url !== undefined) resolve(url)
    })
  })
  const listening = withTimeout(child, Promise.race([address, exitBeforeListening()]))
  // Prevents an unhandled rejection in tests that do not wait for `listening`.
  listening.catch(() => undefined)

  async function exitBeforeListening(): Promise<never> {
    const { code, signal } = await ended
    throw new Error(`the process ended with ${code ?? signal} before it listened: ${stderr}`)
  }

  return {
    pid: child.pid ?? 0,
    stdout: () => stdout,
    stderr: () => stderr,
    listening,
    ended,
    signal: (name) => void child.kill(name),
  }
}

async function withTimeout(child: ChildProcess, listening: Promise<string>): Promise<string> {
  const timeout = setTimeout(() => child.kill('SIGKILL'), startMsMax)
  try {
    return await listening
  } finally {
    clearTimeout(timeout)
  }
}

/** The maximum time of a start. */
const startMsMax = 60_000

/** The maximum number of connections to one gateway. */
const connections = 64

/** Starts a gateway, and waits until it listens. */
export async function startGateway(setup: Setup): Promise<GatewayProcess> {
  const launched = launch(setup)
  const url = await launched.listening
  const client = openClient(url, connections)
  clients.add(client)
  const end = (signal: NodeJS.Signals) => {
    launched.signal(signal)
    return launched.ended
  }
  return {
    ...launched,
    url,
    client,
    pay: (form, headers) => client.send(post('/v1/payments', form, headers)),
    get: (id) => client.send(getPayment(id)),
    stop: () => end('SIGTERM'),
    kill9: () => end('SIGKILL'),
    restart: async () => {
      await launched.ended
      client.close()
      clients.delete(client)
      return startGateway(setup)
    },
  }
}

/** The port of a listener, found by the listener's name in the output of the start. */
export function portIn(stdout: string, name: string): number {
  const [, port] = new RegExp(`^ *${name} +http://[^:/]+:(\\d+)`, 'm').exec(stdout) ?? []
  if (port === undefined) throw new Error(`the output of the start has no address of ${name}`)
  return Number(port)
}
