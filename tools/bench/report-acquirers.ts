import { limits } from './limits.ts'
import type { AcquirersReport, Comparison } from './measure-acquirers.ts'
import type { ServerFigures } from './measure-rate.ts'
import { CPU_HEAD, cpuText } from './report-cpu.ts'
import { fixed, type Line, spreadText } from './text-table.ts'

/** The table of payments at acquirers and in the process. */
export const acquirerLines = ({ host, upstream }: AcquirersReport): Line[] => [
  [`payments, ${limits.connectionsFull} connections`, 'answers/s', 'mean ms', 'p99 ms', CPU_HEAD],
  ...comparisonLines('at a host by ISO 8583', host),
  ...comparisonLines('at a provider by HTTP', upstream),
]

function comparisonLines(name: string, { internal, external, ratio }: Comparison): Line[] {
  const line = (title: string, { perSecond, meanMs, p99Ms, cpu }: ServerFigures) => [
    title,
    fixed(perSecond, 0),
    fixed(meanMs, 2),
    fixed(p99Ms, 2),
    cpuText(cpu),
  ]
  return [
    line('in the process (INTERNAL)', internal),
    line(`${name} (EXTERNAL)`, external),
    [`${name} ÷ in the process (min to max)`, spreadText(ratio), '', '', ''],
  ]
}

/** The figures of the acquirers. */
export function acquirersText({ host, upstream, slow }: AcquirersReport): string {
  const { latencyMs, offeredPerSecond, acceptedPerSecond, payments, residentPeakMb } = slow
  return (
    `processor time of the host: ${microseconds(host)} a payment, of the provider: ${microseconds(upstream)}\n` +
    `${offeredPerSecond}/s offered, with answers of the host after ${latencyMs} ms: ${fixed(acceptedPerSecond, 0)}/s ` +
    `accepted, p99 ${payments.accepted.p99Ms ?? '-'} ms, ${payments.refused.count} refused, ` +
    `${payments.failures} failed, ${payments.notSent} not sent, ` +
    `${residentPeakMb === null ? '-' : fixed(residentPeakMb, 0)} MB`
  )
}

const microseconds = ({ acquirerUs }: Comparison): string => `${acquirerUs === null ? '-' : fixed(acquirerUs, 0)} µs`
