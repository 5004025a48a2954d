import { vi } from 'vitest'
import { run } from '../run.ts'

/** The outcome of a command line. */
export interface CommandResult {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command line in this process, with only these settings. */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  for (const name of Object.keys(process.env)) if (/^(PORT|HOST|TOLLGATE_.*)$/.test(name)) vi.stubEnv(name, undefined)
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  const captureWrites = (stream: NodeJS.WriteStream) => {
    const texts: string[] = []
    vi.spyOn(stream, 'write').mockImplementation((text) => texts.push(String(text)) > 0)
    return () => texts.join('')
  }
  const [stdout, stderr] = [captureWrites(process.stdout), captureWrites(process.stderr)]
  try {
    const status = await run(args)
    return { status, stdout: stdout(), stderr: stderr() }
  } finally {
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
  }
}
