import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
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
  readonly threads: readonly ThreadProfile[]
}

/** The profile of a thread. All times are for one payment. */
export interface ThreadProfile {
  readonly name: string
  /** Busy time by the profiler's clock, which also counts time in which another process has the processor. */
  readonly busyUs: number
  /** Busy time ÷ (busy and idle time). */
  readonly busyShare: number
  readonly areas: readonly { readonly area: Area; readonly us: number; readonly share: number }[]
  readonly functions: readonly { readonly name: string; readonly area: Area; readonly us: number }[]
}

/** The threads of the gateway, and the script by which the profile of a thread other than the main one is found. */
const threads = [
  { name: 'main', script: undefined },
  { name: 'writer', script: /\/writer-thread\.js$/ },
] as const

/**
 * Loads a gateway whose threads are profiled by Node, and reports the cost of a payment by thread, area and function.
 */
export async function measureProfile(
  tool: ReturnType<typeof findLoadTool>,
  effort: Effort,
  print: (line: string) => void,
): Promise<ProfileReport> {
  const folder = scratch('profiles')
  mkdirSync(folder)
  const preload = fileURLToPath(new URL('profile-threads.js', import.meta.url))
  const options = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--import', preload]
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

  const profiles = readProfiles(folder)
  return {
    payments: answers,
    perSecond,
    cpu,
    threads: threads.map(({ name, script }) => {
      const found = profiles.find(({ isMain, profile }) => (script ? !isMain && hasScript(profile, script) : isMain))
      if (!found) throw new BenchError(`the profiler wrote no profile of the thread ${name}`)
      const { busyUs, idleUs, areas, functions } = costsOf(found.profile, fromUs, toUs)
      return {
        name,
        busyUs: busyUs / answers,
        busyShare: busyUs / (busyUs + idleUs),
        areas: areas.map(({ area, us }) => ({ area, us: us / answers, share: us / busyUs })),
        functions: functions.slice(0, limits.topFunctions).map((cost) => ({ ...cost, us: cost.us / answers })),
      }
    }),
  }
}

/** Reads all profiles. Names are CPU.<date>.<time>.<pid>.<thread>.<sequence>.cpuprofile; the main thread is 0. */
function readProfiles(folder: string): readonly { readonly isMain: boolean; readonly profile: CpuProfile }[] {
  return readdirSync(folder).map((file) => {
    const profile: CpuProfile = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    return { isMain: file.split('.')[4] === '0', profile }
  })
}

const hasScript = ({ nodes }: CpuProfile, script: RegExp) => nodes.some(({ callFrame }) => script.test(callFrame.url))

function nowUs(): number {
  return Number(process.hrtime.bigint() / 1000n)
}
