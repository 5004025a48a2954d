import { limits } from './limits.ts'
import type { AcquirersReport } from './measure-acquirers.ts'
import type { ServerFigures } from './measure-rate.ts'
import { CPU_HEAD, cpuText } from './report-cpu.ts'
import { fixed, type Line, spreadText } from './text-table.ts'

/** The table of payments at a host and in the process. */
export function acquirerLines({ internal, external, ratio }: AcquirersReport): Line[] {
  const line = (name: string, { perSecond, meanMs, p99Ms, cpu }: ServerFigures) => [
    name,
    fixed(perSecond, 0),
    fixed(meanMs, 2),
    fixed(p99Ms, 2),
    cpuText(cpu),
  ]
  return [
    [`payments, ${limits.connectionsFull} connections`, 'answers/s', 'mean ms', 'p99 ms', CPU_HEAD],
    line('in the process (INTERNAL)', internal),
    line('at a host by ISO 8583 (EXTERNAL)', external),
    ['at the host ÷ in the process (min to max)', spreadText(ratio), '', '', ''],
  ]
}

/** The figures of the host. */
export function acquirersText({ hostUs, slow }: AcquirersReport): string {
  const { latencyMs, offeredPerSecond, acceptedPerSecond, payments, residentPeakMb } = slow
  return (
    `processor time of the host: ${hostUs === null ? '-' : fixed(hostUs, 0)} µs a payment\n` +
    `${offeredPerSecond}/s offered, with answers of the host after ${latencyMs} ms: ${fixed(acceptedPerSecond, 0)}/s ` +
    `accepted, p99 ${payments.accepted.p99Ms ?? '-'} ms, ${payments.refused.count} refused, ` +
    `${payments.failures} failed, ${payments.notSent} not sent, ` +
    `${residentPeakMb === null ? '-' : fixed(residentPeakMb, 0)} MB`
  )
}
