import { readdirSync, readFileSync } from 'node:fs'
import { median } from './statistics.ts'

/** Memory of a process, and its processor time so far, on Linux; other systems have no /proc. */
export interface Usage {
  readonly residentBytes: number
  readonly residentPeakBytes: number
  /** Processor time of each thread in milliseconds, by its id; the id of the main thread is that of the process. */
  readonly threadsMs: ReadonlyMap<number, number>
  readonly pid: number
}

/** Reads /proc of a process; undefined if /proc has no entry of the process or no processor times. */
export function usageOf(pid: number): Usage | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const threads = readdirSync(`/proc/${pid}/task`).map((thread) => {
      const ms = cpuMsIn(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'))
      return [Number(thread), ms] as const
    })
    return {
      residentBytes: kibibytes(status, 'VmRSS') * 1024,
      residentPeakBytes: kibibytes(status, 'VmHWM') * 1024,
      threadsMs: new Map(threads),
      pid,
    }
  } catch {
    return undefined
  }
}

/**
 * The processor time of a thread in milliseconds: the first field of its schedstat, in nanoseconds.
 * @throws Error if the kernel does not measure it, and all fields are 0
 */
export function cpuMsIn(schedstat: string): number {
  const [nanoseconds = '', waitNanoseconds, timeslices] = schedstat.trim().split(' ')
  if (!/^\d+$/.test(nanoseconds) || [nanoseconds, waitNanoseconds, timeslices].every((field) => field === '0'))
    throw new Error('the kernel does not measure the processor time of threads')
  return Number(nanoseconds) / 1e6
}

function kibibytes(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1])
}

/** Processor time for each answer, in microseconds. */
export interface CpuPerAnswer {
  /** Time of the main thread, which runs the event loop. */
  readonly mainUs: number
  /** Time of the other threads: writer, vault, garbage collection and thread pool. */
  readonly othersUs: number
  /**
   * Times of the busiest other threads, in descending order. Linux shows no names: all threads of Node 20 have the name
   * of the program.
   */
  readonly busiestUs: readonly number[]
}

const BUSIEST = 3

/** Processor time for each of `answers` answers between two readings; null if a reading is missing. */
export function cpuPerAnswer(
  before: Usage | undefined,
  after: Usage | undefined,
  answers: number,
): CpuPerAnswer | null {
  if (!before || !after) return null
  let mainUs = 0
  const others: number[] = []
  for (const [thread, ms] of after.threadsMs) {
    const us = ((ms - (before.threadsMs.get(thread) ?? 0)) * 1000) / answers
    if (thread === after.pid) mainUs = us
    else others.push(us)
  }
  const busiestUs = others.toSorted((a, b) => b - a).slice(0, BUSIEST)
  return { mainUs, othersUs: others.reduce((sum, us) => sum + us, 0), busiestUs }
}

/** Processor time of all threads for each answer, in microseconds. */
export const totalUs = ({ mainUs, othersUs }: CpuPerAnswer): number => mainUs + othersUs

/** Medians of repeated measurements; null if one is missing. */
export function medianCpu(samples: readonly (CpuPerAnswer | null)[]): CpuPerAnswer | null {
  const cpus = samples.filter((sample) => sample !== null)
  if (cpus.length < samples.length) return null
  return {
    mainUs: median(cpus.map(({ mainUs }) => mainUs)),
    othersUs: median(cpus.map(({ othersUs }) => othersUs)),
    busiestUs: Array.from({ length: BUSIEST }, (_, rank) => median(cpus.map(({ busiestUs }) => busiestUs[rank] ?? 0))),
  }
}
