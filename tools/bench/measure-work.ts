import { setTimeout as delay } from 'node:timers/promises'
import { BenchError } from './bench-error.ts'
import { limits } from './limits.ts'
import { cpuPerAnswer, totalUs, type Usage, usageOf } from './process-usage.ts'

/** Work of the gateway on many rows. */
export interface WorkFigures {
  readonly rows: number
  readonly perSecond: number
  /** Processor time of all threads of the gateway for a row; null if it cannot be read. */
  readonly cpuUs: number | null
}

/** Measures work, and its processor time. @param work returns its number of rows */
export async function measureWork(pid: number, work: () => Promise<number>): Promise<WorkFigures> {
  const usage = usageOf(pid)
  const startedMs = performance.now()
  const rows = await work()
  return { rows, perSecond: (rows * 1000) / (performance.now() - startedMs), cpuUs: cpuUsOf(usage, pid, rows) }
}

function cpuUsOf(before: Usage | undefined, pid: number, rows: number): number | null {
  const cpu = cpuPerAnswer(before, usageOf(pid), rows)
  return cpu && totalUs(cpu)
}

/** Waits until a condition holds, for at most `limits.moneyWaitMs`. */
export async function until(what: string, isDone: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + limits.moneyWaitMs
  while (!(await isDone())) {
    if (performance.now() > deadlineMs)
      throw new BenchError(`${what} for more than ${limits.moneyWaitMs / 60_000} minutes`)
    await delay(limits.moneyPollMs)
  }
}
