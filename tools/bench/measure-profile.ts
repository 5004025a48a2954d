import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BenchError } from './bench-error.ts'
import { type Area, costsOf, type CpuProfile } from './cpu-profile.ts'
import { load, type findLoadTool } from './load.ts'
import { type Effort, limits } from './limits.ts'
import { createMerchants } from './merchants.ts'
import { type CpuPerAnswer, cpuPerAnswer, usageOf } from './process-usage.ts'
import { scratch } from './clean-up.ts'
import { gatewayModules, serveGateway } from './server-process.ts'
import { prepareRequests } from './workload.ts'

export interface ProfileReport {
  readonly payments: number
  /** Rate under the profiler, which slows the gateway down. */
  readonly perSecond: number
  /** Processor time that the system counted; null if it cannot be read. */
  readonly cpu: CpuPerAnswer | null
  /**
   * Busy time of the main thread by the profiler's clock, which also counts time in which another process has the
   * processor.
   */
  readonly busyUs: number
  /** The main thread's busy time ÷ (busy and idle time). */
  readonly busyShare: number
  readonly areas: readonly { readonly area: Area; readonly us: number; readonly share: number }[]
  readonly functions: readonly { readonly name: string; readonly area: Area; readonly us: number }[]
}

/**
 * Loads a gateway whose main thread is profiled by Node, and reports the cost of a payment by area. All times are for
 * one payment. The writer thread starts without the options of the process, so only `cpu` includes it.
 */
export async function measureProfile(
  tool: ReturnType<typeof findLoadTool>,
  effort: Effort,
  print: (line: string) => void,
): Promise<ProfileReport> {
  const folder = scratch('profiles')
  mkdirSync(folder)
  const options = ['--cpu-prof', `--cpu-prof-dir=${folder}`]
  const gateway = await serveGateway(scratch('profile'), options, {}, gatewayModules)
  const requests = prepareRequests((await createMerchants(gateway.manageUrl)).merchants)
  const round = { url: gateway.url, requests, connections: limits.connectionsFull }
  print('profile: warming up')
  await load(tool, { ...round, seconds: effort.warmUpSeconds })
  const before = usageOf(gateway.pid)
  const fromUs = nowUs()
  const { answers, perSecond } = await load(tool, { ...round, seconds: effort.roundSeconds })
  const toUs = nowUs()
  const cpu = cpuPerAnswer(before, usageOf(gateway.pid), answers)
  await gateway.stop()

  const { busyUs, idleUs, areas, functions } = costsOf(mainProfile(folder), fromUs, toUs)
  return {
    payments: answers,
    perSecond,
    cpu,
    busyUs: busyUs / answers,
    busyShare: busyUs / (busyUs + idleUs),
    areas: areas.map(({ area, us }) => ({ area, us: us / answers, share: us / busyUs })),
    functions: functions.slice(0, limits.topFunctions).map((cost) => ({ ...cost, us: cost.us / answers })),
  }
}

/** Reads the main thread's profile. Names are CPU.<date>.<time>.<pid>.<thread>.<sequence>.cpuprofile, with thread 0. */
function mainProfile(folder: string): CpuProfile {
  const name = readdirSync(folder).find((file) => file.split('.')[4] === '0')
  if (name === undefined) throw new BenchError('the profiler wrote no profile')
  const profile: CpuProfile = JSON.parse(readFileSync(join(folder, name), 'utf8'))
  return profile
}

function nowUs(): number {
  return Number(process.hrtime.bigint() / 1000n)
}
