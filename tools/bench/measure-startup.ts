import { sandboxIds, sandboxToken } from '@tollgate/gateway'
import type { Effort } from './limits.ts'
import { pay } from './merchants.ts'
import { scratch } from './clean-up.ts'
import { serveGateway } from './server-process.ts'
import { median } from './statistics.ts'

export interface StartupReport {
  /**
   * Time from the start of the process to its line "listening on", in an empty folder, in which it creates keys and
   * tables.
   */
  readonly listeningMs: number
  /** Time from the start of the process to the answer to the first approved payment. */
  readonly firstPaymentMs: number
}

/** Measures several starts, each in a new empty data folder. @returns medians */
export async function measureStartup(effort: Effort, print: (line: string) => void): Promise<StartupReport> {
  // The first fetch of this process loads the HTTP client, which must not count as part of the gateway's start.
  await fetch('data:,')
  const listening: number[] = []
  const firstPayments: number[] = []
  for (let start = 1; start <= effort.starts; start += 1) {
    const startedMs = performance.now()
    const gateway = await serveGateway(scratch(`start-${start}`))
    listening.push(performance.now() - startedMs)
    await pay(gateway.url, { channel: sandboxIds.channel, token: sandboxToken }, start)
    firstPayments.push(performance.now() - startedMs)
    await gateway.stop()
    print(
      `startup: start ${start} of ${effort.starts}: first payment after ${Math.round(firstPayments.at(-1) ?? 0)} ms`,
    )
  }
  return { listeningMs: median(listening), firstPaymentMs: median(firstPayments) }
}
