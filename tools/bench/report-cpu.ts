import type { CpuPerAnswer } from './process-usage.ts'
import { fixed } from './text-table.ts'

/** The head of a column of `cpuText`. */
export const CPU_HEAD = 'CPU per answer, main + other threads'

/** Processor time of an answer, with the times of the busiest other threads. */
export function cpuText(cpu: CpuPerAnswer | null): string {
  if (!cpu) return '-'
  const busiest = cpu.busiestUs.map((us) => fixed(us, 0)).join(', ')
  return `${fixed(cpu.mainUs, 0)} + ${fixed(cpu.othersUs, 0)} µs (${busiest} …)`
}
