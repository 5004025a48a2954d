import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Clean-up of child processes and of the temporary folder at every exit that a process can handle.

const children = new Set<ChildProcess>()
let folder: string | undefined

/** A path in the temporary folder of the benchmark, which is below the system's folder for temporary files (TMPDIR). */
export function scratch(...path: string[]): string {
  folder ??= mkdtempSync(join(tmpdir(), 'tollgate-bench-'))
  return join(folder, ...path)
}

/** Kills `child` at the exit of this process if it still runs. */
export function killAtExit(child: ChildProcess): void {
  children.add(child)
  child.once('exit', () => children.delete(child))
}

/** Sets up the clean-up for every exit that a process can handle, and the deadline of the run. */
export function cleanUpAtExit(deadlineMs: number): void {
  process.once('exit', cleanUp)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
  const deadline = setTimeout(() => {
    process.stderr.write(`bench: stopped, because it ran longer than ${deadlineMs / 60_000} minutes\n`)
    process.exit(1)
  }, deadlineMs)
  deadline.unref()
}

function cleanUp(): void {
  for (const child of children) child.kill('SIGKILL')
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
