import { readFileSync } from 'node:fs'

/** Memory of a process, and its processor time so far, on Linux; other systems have no /proc. */
export interface Usage {
  readonly residentBytes: number
  readonly residentPeakBytes: number
  /** Processor time of all its threads. */
  readonly cpuMs: number
  /** Processor time of the main thread, which runs the event loop. */
  readonly mainCpuMs: number
}

/** Duration of a tick, the unit of processor times in /proc: 100 ticks a second on every Linux that Node runs on. */
const MS_PER_TICK = 10

/** Reads /proc of a process; undefined if /proc has no entry of the process. */
export function usageOf(pid: number): Usage | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return {
      residentBytes: kibibytes(status, 'VmRSS') * 1024,
      residentPeakBytes: kibibytes(status, 'VmHWM') * 1024,
      cpuMs: cpuMs(readFileSync(`/proc/${pid}/stat`, 'utf8')),
      mainCpuMs: cpuMs(readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8')),
    }
  } catch {
    return undefined
  }
}

/**
 * Field 2 of /proc/<pid>/stat is the program's name in brackets and may contain blanks, so only the fields after it are
 * split: the first is field 3. Fields 14 and 15 are user and system time.
 */
function cpuMs(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
}

function kibibytes(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1])
}

/** Processor time for each answer, in microseconds. */
export interface CpuPerAnswer {
  readonly mainUs: number
  /** Time of the other threads: writer, garbage collection and thread pool. */
  readonly othersUs: number
}

/** Processor time for each of `answers` answers between two readings; null if a reading is missing. */
export function cpuPerAnswer(
  before: Usage | undefined,
  after: Usage | undefined,
  answers: number,
): CpuPerAnswer | null {
  if (!before || !after) return null
  const mainMs = after.mainCpuMs - before.mainCpuMs
  const othersMs = after.cpuMs - before.cpuMs - mainMs
  return { mainUs: (mainMs * 1000) / answers, othersUs: (othersMs * 1000) / answers }
}
