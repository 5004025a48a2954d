import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect } from 'vitest'
import { requestOf, SHOWN_URL } from './examples.ts'

export const program = join(import.meta.dirname, '../../../dist/tollgate.js')

export interface StartedGateway {
  readonly child: ChildProcess
  readonly url: string
  /** The output of the gateway until it was ready. */
  readonly printed: string
}

/** Starts the gateway with the sandbox, on a port that the system chooses. */
export async function startGateway(
  data: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<StartedGateway> {
  const env = { PATH: process.env['PATH'], PORT: '0', TOLLGATE_DATA: data, TOLLGATE_LOG: 'silent', ...settings }
  return startProgram(['serve'], { env, ready: /^Tollgate listening on (\S+)$/m })
}

/**
 * Starts a command of the program.
 *
 * @param ready matches the line that it prints when it is ready, and captures its address
 */
export async function startProgram(
  args: readonly string[],
  { ready, ...options }: { readonly env: NodeJS.ProcessEnv; readonly cwd?: string; readonly ready: RegExp },
): Promise<StartedGateway> {
  const child = spawn(process.execPath, [program, ...args], { ...options, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  for await (const chunk of child.stdout) {
    printed += String(chunk)
    const url = ready.exec(printed)?.[1]
    if (url !== undefined) return { child, url, printed }
  }
  throw new Error(`the program did not start: ${printed}`)
}

export async function kill({ child }: StartedGateway): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Starts a gateway for a group of tests. Its data folder is deleted afterwards. */
export function gatewayFor(group: string) {
  const data = mkdtempSync(join(tmpdir(), `tollgate-${group}-`))
  let gateway: StartedGateway
  beforeAll(async () => {
    gateway = await startGateway(data)
  })
  afterAll(async () => {
    await kill(gateway)
    rmSync(data, { recursive: true, force: true })
  })
  return {
    data,
    running: () => gateway,
    killAndRestart: async () => {
      await kill(gateway)
      gateway = await startGateway(data)
    },
  }
}

/** Environment variables with which `tollgate` connects to the gateway. */
export const operatorEnv = ({ printed }: StartedGateway) => ({
  TOLLGATE_MANAGE_PORT: /management API +http:\/\/127\.0\.0\.1:(\d+)/.exec(printed)?.[1],
})

/** Runs a curl command in a shell, with the addresses of a gateway and of its simulators. @returns its answer */
export async function runInShell(
  { url, printed }: StartedGateway,
  command: string,
  variables: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const simulators = /banks and wallets +(\S+)/.exec(printed)?.[1] ?? ''
  const adapted = command.replace(SHOWN_URL, url).replace('http://127.0.0.1:8083', simulators)
  const env = { PATH: process.env['PATH'], ...variables }
  const { stdout } = await promisify(execFile)('sh', ['-c', adapted.replace(/^curl/, 'curl -s')], { env })
  const answer: Record<string, unknown> = JSON.parse(stdout)
  return answer
}

export interface Answer {
  readonly status: number
  readonly id: string
  readonly result: { readonly code: string }
}

export async function answerTo(url: string, command: string, variables: ReadonlyMap<string, string>): Promise<Answer> {
  const { path, init } = requestOf(command, variables)
  const response = await fetch(url + path, init)
  return { ...JSON.parse(await response.text()), status: response.status }
}

/** Runs a curl command, whose answer must have the result code of an approval. @returns the id in the answer */
export async function runApprovedCommand(
  url: string,
  command: string,
  variables: ReadonlyMap<string, string>,
): Promise<string> {
  const { status, id, result } = await answerTo(url, command, variables)
  expect([command, status, result.code]).toEqual([command, 200, '000.100.110'])
  return id
}

/**
 * Runs the blocks that are curl commands, in order; each must be approved. Sets the variables that the blocks assign:
 * PAYMENT, REGISTRATION and PLAN get the id in the last answer, instead of the value in the block. Other commands are
 * not run.
 *
 * @returns the variables
 */
export async function runCommands(url: string, blocks: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const variables = new Map<string, string>()
  let lastId = ''
  for (const block of blocks) {
    if (block.startsWith('curl')) lastId = await runApprovedCommand(url, block, variables)
    for (const [, name = '', value = ''] of block.matchAll(/^([A-Z]+)=(\S+)$/gm)) {
      variables.set(name, ['PAYMENT', 'REGISTRATION', 'PLAN'].includes(name) ? lastId : value)
    }
  }
  return variables
}
