import { execFile, type ExecFileException } from 'node:child_process'
import { isAbsolute } from 'node:path'
import { ConfigError, settings } from '../config.ts'
import { limits } from '../limits.ts'
import type { KeySource } from './key-source.ts'
import { parseRing } from './parse-ring.ts'

const SCHEME = 'exec:'

/**
 * The command in a value of TOLLGATE_KEYS, `exec:/path/to/program argument …`; undefined for any other value. No shell
 * interprets it: arguments are separated by blanks, without quotation or substitution.
 *
 * @param timeoutMs maximum time to print the ring
 * @throws ConfigError for a program without an absolute path
 */
export function keyCommand(keys: string, timeoutMs: number = limits.keyCommandTimeoutMs): KeySource | undefined {
  if (!keys.startsWith(SCHEME)) return undefined
  const [program = '', ...args] = keys.slice(SCHEME.length).trim().split(/\s+/)
  if (!isAbsolute(program)) {
    throw new ConfigError(`${settings.keys.name} must name the program after ${SCHEME} by its absolute path`)
  }
  return {
    name: program,
    async read() {
      const text = await outputOf(program, args, timeoutMs)
      return parseRing(program, () => text)
    },
  }
}

/** Runs a program, and returns its standard output. The standard error is discarded, because it may contain keys. */
function outputOf(program: string, args: readonly string[], timeoutMs: number): Promise<string> {
  const options = {
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: limits.keyCommandOutputBytes,
  } as const
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, options, (error, text) => {
      if (error) reject(new ConfigError(`${settings.keys.name}: ${program} ${failureOf(error, timeoutMs)}`))
      else resolve(text)
    })
    child.stdin?.end()
  })
}

function failureOf({ killed, code, signal }: ExecFileException, timeoutMs: number): string {
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
    return `printed more than ${limits.keyCommandOutputBytes} bytes, which is no key ring`
  }
  if (killed === true) return `printed no key ring within ${timeoutMs / 1000} seconds`
  if (typeof code === 'string') return `cannot be started: ${code}`
  return `ended with ${signal ?? `status ${code}`}; run it by hand to see why`
}
