import { execFileSync } from 'node:child_process'
import { BenchError } from './bench-error.ts'
import { loadByAutocannon } from './load-by-autocannon.ts'
import { loadByWrk } from './load-by-wrk.ts'
import type { Round, LoadFigures } from './round.ts'

export interface Load {
  readonly answers: number
  readonly perSecond: number
  readonly meanMs: number
  readonly p50Ms: number
  readonly p99Ms: number
}

interface LoadTool {
  readonly name: string
  run(round: Round): Promise<LoadFigures>
}

/** Returns wrk if it is installed, because it leaves most of the machine to the servers; otherwise autocannon. */
export function findLoadTool(): LoadTool {
  try {
    execFileSync('wrk', ['-v'], { stdio: 'ignore' })
  } catch (error) {
    // `wrk -v` exits with 1, so only a missing program counts as not installed.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return { name: 'autocannon', run: loadByAutocannon }
    }
  }
  return { name: 'wrk', run: loadByWrk }
}

/**
 * Loads a server for one round.
 * @throws BenchError if any answer was not a 2xx or any request was not answered, which invalidates the round
 */
export async function load(tool: LoadTool, round: Round): Promise<Load> {
  if (new URL(round.url).hostname !== '127.0.0.1') throw new BenchError('the benchmark loads only servers on 127.0.0.1')
  const { answers, failures, seconds, meanMs, p50Ms, p99Ms } = await tool.run(round)
  const failed = Object.entries(failures).filter(([, count]) => count > 0)
  if (failed.length > 0) {
    throw new BenchError(`requests failed: ${failed.map(([kind, count]) => `${count} ${kind}`).join(', ')}`)
  }
  if (answers === 0) throw new BenchError('no request was answered')
  return { answers, perSecond: answers / seconds, meanMs, p50Ms, p99Ms }
}
