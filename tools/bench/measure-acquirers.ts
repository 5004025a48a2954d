import { type Effort, limits } from './limits.ts'
import { load, type findLoadTool } from './load.ts'
import { type ServerFigures, type Sample, measureRound, medians } from './measure-rate.ts'
import { createMerchants } from './merchants.ts'
import type { OpenLoopFigures } from './open-loop-load.ts'
import { cpuPerAnswer, medianCpu, totalUs, usageOf } from './process-usage.ts'
import { sendFromProcess } from './send-from-process.ts'
import { freePort, serveGateway, serveSimulators, type Simulators } from './server-process.ts'
import { type Spread, spread } from './statistics.ts'
import { scratch } from './clean-up.ts'
import { prepareRequests, type PreparedRequest } from './workload.ts'

/** Payments to an acquirer's host across a network, compared with payments of the simulator in the process. */
export interface AcquirersReport {
  readonly internal: ServerFigures
  readonly external: ServerFigures
  /** The rate of payments to the host ÷ the rate of payments in the process, in the same round. */
  readonly ratio: Spread
  /** Processor time of the host's process for each payment, in microseconds; null if it cannot be read. */
  readonly hostUs: number | null
  readonly slow: SlowHostFigures
}

/** Payments at a fixed rate while the host answers late. */
export interface SlowHostFigures {
  readonly latencyMs: number
  readonly offeredPerSecond: number
  readonly acceptedPerSecond: number
  readonly payments: OpenLoopFigures
  /** Greatest resident memory of the gateway; null if it cannot be read. */
  readonly residentPeakMb: number | null
}

type Print = (line: string) => void

/**
 * Measures payments to a host by ISO 8583 over one TCP link. Gateway and host run in processes of their own, on the
 * same processors, so that the host's processor time counts against the gateway.
 */
export async function measureAcquirers(
  tool: ReturnType<typeof findLoadTool>,
  effort: Effort,
  print: Print,
): Promise<AcquirersReport> {
  const acquirerPort = await freePort()
  const host = await serveSimulators(acquirerPort)
  const gateway = await serveGateway(scratch('acquirers'), [], {
    TOLLGATE_ACQUIRER_ADDRESS: `127.0.0.1:${acquirerPort}`,
  })
  const requests = prepareRequests((await createMerchants(gateway.manageUrl)).merchants)
  const external = requests.map((request) => ({ ...request, body: `${request.body}&testMode=EXTERNAL` }))
  const connections = limits.connectionsFull
  print('acquirers: warming up')
  for (const each of [requests, external])
    await load(tool, { url: gateway.url, requests: each, connections, seconds: effort.warmUpSeconds })

  const rounds: { readonly internal: Sample; readonly external: Sample }[] = []
  const hostUs: (number | null)[] = []
  for (let round = 0; round < effort.rounds; round += 1) {
    const measure = (each: readonly PreparedRequest[]) =>
      measureRound(tool, gateway, { requests: each, connections, seconds: effort.roundSeconds })
    const measureExternal = async () => {
      const before = usageOf(host.pid)
      const sample = await measure(external)
      const cpu = cpuPerAnswer(before, usageOf(host.pid), sample.answers)
      hostUs.push(cpu && totalUs(cpu))
      return sample
    }
    const samples =
      round % 2 === 0
        ? { internal: await measure(requests), external: await measureExternal() }
        : { external: await measureExternal(), internal: await measure(requests) }
    rounds.push(samples)
    print(
      `acquirers: round ${round + 1} of ${effort.rounds}: ` +
        `${Math.round(samples.internal.perSecond)}/s in the process, ` +
        `${Math.round(samples.external.perSecond)}/s at the host`,
    )
  }
  const { url, pid } = gateway
  const slow = await measureSlowHost({ url, pid, host, requests: external }, effort, print)
  await gateway.stop()
  await host.stop()
  return {
    internal: medians(rounds.map(({ internal }) => internal)),
    external: medians(rounds.map(({ external: sample }) => sample)),
    ratio: spread(rounds.map(({ internal, external: sample }) => sample.perSecond / internal.perSecond)),
    hostUs: medianOf(hostUs),
    slow,
  }
}

function medianOf(values: readonly (number | null)[]): number | null {
  const cpus = values.map((us) => (us === null ? null : { mainUs: us, othersUs: 0, busiestUs: [] }))
  return medianCpu(cpus)?.mainUs ?? null
}

interface SlowTarget {
  readonly url: string
  readonly pid: number
  readonly host: Simulators
  readonly requests: readonly PreparedRequest[]
}

/** Pays at a fixed rate while every answer of the host takes `slowHostMs`, so that as many payments wait for it. */
async function measureSlowHost(
  { url, pid, host, requests }: SlowTarget,
  { acquirerSeconds: seconds }: Effort,
  print: Print,
): Promise<SlowHostFigures> {
  const { slowHostMs: latencyMs, slowHostPerSecond: perSecond, slowHostConnections: connections } = limits
  print(`acquirers: ${perSecond}/s for ${seconds} s at a host that answers after ${latencyMs} ms`)
  await host.setFaults([{ knob: 'lateMs', value: latencyMs }])
  const payments = await sendFromProcess({ url, requests, perSecond, seconds, connections })
  await host.setFaults([])
  const usage = usageOf(pid)
  return {
    latencyMs,
    offeredPerSecond: perSecond,
    acceptedPerSecond: payments.accepted.count / seconds,
    payments,
    residentPeakMb: usage ? usage.residentPeakBytes / 1e6 : null,
  }
}
