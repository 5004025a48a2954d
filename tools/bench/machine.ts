import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { cpus, release, totalmem, type } from 'node:os'
import { limits } from './limits.ts'
import { scratch } from './clean-up.ts'
import { median } from './statistics.ts'

/** The machine on which the figures were measured. */
export interface Machine {
  readonly cores: number
  readonly processor: string
  readonly memoryMb: number
  readonly system: string
  readonly node: string
  readonly loadTool: string
  /** Median time of a small append with fsync in the folder of the data, in milliseconds. */
  readonly fsyncMs: number
}

export function describeMachine(loadTool: string): Machine {
  const [first] = cpus()
  return {
    cores: cpus().length,
    processor: first?.model.trim() ?? 'unknown',
    memoryMb: Math.round(totalmem() / 1e6),
    system: `${type()} ${release()}`,
    node: process.version,
    loadTool,
    fsyncMs: measureFsyncMs(),
  }
}

function measureFsyncMs(): number {
  const file = openSync(scratch('fsync'), 'w')
  const block = Buffer.alloc(4096)
  const times: number[] = []
  for (let round = 0; round < limits.fsyncs; round += 1) {
    const startedMs = performance.now()
    writeSync(file, block)
    fsyncSync(file)
    times.push(performance.now() - startedMs)
  }
  closeSync(file)
  return median(times)
}
