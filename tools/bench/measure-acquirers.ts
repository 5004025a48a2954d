import { freePort } from '@tollgate/storage/testing'
import { type Effort, limits } from './limits.ts'
import { load, type findLoadTool } from './load.ts'
import { type ServerFigures, type Sample, measureRound, medians } from './measure-rate.ts'
import { createMerchants, postToManagement, putToManagement } from './merchants.ts'
import type { OpenLoopFigures } from './open-loop-load.ts'
import { cpuPerAnswer, medianCpu, totalUs, usageOf } from './process-usage.ts'
import { sendFromProcess } from './send-from-process.ts'
import {
  type BenchGateway,
  serveGateway,
  type ServerProcess,
  serveSimulators,
  serveUpstream,
  type Simulators,
} from './server-process.ts'
import { type Spread, spread } from './statistics.ts'
import { scratch } from './clean-up.ts'
import { type MerchantAccess, prepareRequests, type PreparedRequest } from './workload.ts'

/** Payments that an acquirer across a network processes, compared with payments of the simulator in the process. */
export interface Comparison {
  readonly internal: ServerFigures
  readonly external: ServerFigures
  /** The rate of payments across the network ÷ the rate of payments in the process, in the same round. */
  readonly ratio: Spread
  /** Processor time of the acquirer's process for each payment, in microseconds; null if it cannot be read. */
  readonly acquirerUs: number | null
}

export interface AcquirersReport {
  /** A host that is reached by ISO 8583 over one TCP link. */
  readonly host: Comparison
  /** A provider that is reached by HTTP, as another gateway is. */
  readonly upstream: Comparison
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
 * Measures payments to acquirers. They and the gateway run in processes of their own, on the same processors, so that
 * the processor time of an acquirer counts against the gateway.
 */
export async function measureAcquirers(
  tool: ReturnType<typeof findLoadTool>,
  effort: Effort,
  print: Print,
): Promise<AcquirersReport> {
  const acquirerPort = await freePort()
  const host = await serveSimulators(acquirerPort)
  const gateway = await serveGateway(scratch('host'), [], { TOLLGATE_ACQUIRER_ADDRESS: `127.0.0.1:${acquirerPort}` })
  const { merchants } = await createMerchants(gateway.manageUrl)
  const options = { tool, effort, print }
  const atHost = await compare('a host', { ...options, gateway, acquirer: host, merchants })
  const { url, pid } = gateway
  const slow = await measureSlowHost({ url, pid, host, requests: externalRequests(merchants) }, effort, print)
  await gateway.stop()
  await host.stop()
  return { host: atHost, upstream: await compareUpstream(options), slow }
}

interface Options {
  readonly tool: ReturnType<typeof findLoadTool>
  readonly effort: Effort
  readonly print: Print
}

/** Measures payments to a provider, which is set up as an operator does it. */
async function compareUpstream(options: Options): Promise<Comparison> {
  const acquirer = await serveUpstream()
  const gateway = await serveGateway(scratch('upstream'))
  const { merchants, division } = await createMerchants(gateway.manageUrl)
  await postToManagement(`${gateway.manageUrl}/connectors`, {
    name: 'provider',
    kind: 'upstream',
    settings: { baseUrl: acquirer.url, entityId: '0'.repeat(32), verificationCurrency: 'EUR' },
    credentials: { accessToken: 'stub' },
  })
  await putToManagement(`${gateway.manageUrl}/entities/${division}/routes`, {
    routes: [{ name: 'external', when: { testModes: ['EXTERNAL'] }, targets: [{ connector: 'provider' }] }],
  })
  const comparison = await compare('a provider', { ...options, gateway, acquirer, merchants })
  await gateway.stop()
  await acquirer.stop()
  return comparison
}

const externalRequests = (merchants: readonly MerchantAccess[]): readonly PreparedRequest[] =>
  prepareRequests(merchants).map((request) => ({ ...request, body: `${request.body}&testMode=EXTERNAL` }))

interface Compared extends Options {
  readonly gateway: BenchGateway
  readonly acquirer: ServerProcess
  readonly merchants: readonly MerchantAccess[]
}

/** Measures payments in the process and at the acquirer in turns. */
async function compare(
  name: string,
  { tool, effort, print, gateway, acquirer, merchants }: Compared,
): Promise<Comparison> {
  const requests = prepareRequests(merchants)
  const external = externalRequests(merchants)
  const connections = limits.connectionsFull
  print(`acquirers: warming up payments at ${name}`)
  for (const each of [requests, external])
    await load(tool, { url: gateway.url, requests: each, connections, seconds: effort.warmUpSeconds })

  const rounds: { readonly internal: Sample; readonly external: Sample }[] = []
  const acquirerUs: (number | null)[] = []
  const measure = (each: readonly PreparedRequest[]) =>
    measureRound(tool, gateway, { requests: each, connections, seconds: effort.roundSeconds })
  const measureExternal = async () => {
    const before = usageOf(acquirer.pid)
    const sample = await measure(external)
    const cpu = cpuPerAnswer(before, usageOf(acquirer.pid), sample.answers)
    acquirerUs.push(cpu && totalUs(cpu))
    return sample
  }
  for (let round = 0; round < effort.rounds; round += 1) {
    const samples =
      round % 2 === 0
        ? { internal: await measure(requests), external: await measureExternal() }
        : { external: await measureExternal(), internal: await measure(requests) }
    rounds.push(samples)
    print(
      `acquirers: round ${round + 1} of ${effort.rounds}: ` +
        `${Math.round(samples.internal.perSecond)}/s in the process, ` +
        `${Math.round(samples.external.perSecond)}/s at ${name}`,
    )
  }
  return {
    internal: medians(rounds.map(({ internal }) => internal)),
    external: medians(rounds.map(({ external: sample }) => sample)),
    ratio: spread(rounds.map(({ internal, external: sample }) => sample.perSecond / internal.perSecond)),
    acquirerUs: medianOf(acquirerUs),
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
