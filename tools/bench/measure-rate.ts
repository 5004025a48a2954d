import { writeFileSync } from 'node:fs'
import { type Load, load, type findLoadTool } from './load.ts'
import { type Effort, limits } from './limits.ts'
import { createMerchants, pay } from './merchants.ts'
import { type CpuPerAnswer, cpuPerAnswer, medianCpu, totalUs, usageOf } from './process-usage.ts'
import { scratch } from './clean-up.ts'
import type { Round } from './round.ts'
import { type ServerProcess, serveBare, serveGateway } from './server-process.ts'
import { median, type Spread, spread } from './statistics.ts'
import { prepareRequests } from './workload.ts'

/** The figures of a server at one number of connections: medians over the rounds. */
export interface ServerFigures {
  readonly perSecond: number
  readonly meanMs: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** null if the processor time cannot be read. */
  readonly cpu: CpuPerAnswer | null
}

/** The measured servers in the order of the report: two baselines, of which `ready` does less work, and Tollgate. */
export const serverNames = {
  bare: 'bare Fastify',
  ready: '… with a pre-serialised answer',
  tollgate: 'Tollgate',
} as const

export type ServerName = keyof typeof serverNames

export interface RateFigures {
  readonly connections: number
  readonly sides: Readonly<Record<ServerName, ServerFigures>>
  /** Tollgate's rate ÷ the rate of the baseline in the same round. */
  readonly ratio: Spread
  /** Tollgate's rate ÷ the rate of the baseline with a pre-serialised answer in the same round. */
  readonly ratioToReady: Spread
  /**
   * Tollgate's processor time for an answer ÷ that of the baseline in the same round, of all threads; null if the
   * processor time cannot be read.
   */
  readonly cpuRatio: Spread | null
  /** p99 ÷ mean of Tollgate's latencies in a round. */
  readonly p99Ratio: Spread
}

export interface MemoryFigures {
  readonly residentMb: number
  readonly residentPeakMb: number
}

export interface RateReport {
  readonly levels: readonly RateFigures[]
  /** Memory of the gateway, right after the last load; null if it cannot be read. */
  readonly memory: MemoryFigures | null
  readonly answers: number
}

type Tool = ReturnType<typeof findLoadTool>
export type Sample = Load & Pick<ServerFigures, 'cpu'>

/**
 * Compares the rate of durable payments with bare Fastify. All servers run throughout and are loaded in turn. The order
 * is reversed in every round, so that no server profits from a machine that warms up or slows down.
 */
export async function measureRate(tool: Tool, effort: Effort, print: (line: string) => void): Promise<RateReport> {
  const gateway = await serveGateway(scratch('rate'))
  const { merchants } = await createMerchants(gateway.manageUrl)
  const [first] = merchants
  if (!first) throw new Error('the workload has no merchants')
  const answerFile = scratch('answer.json')
  writeFileSync(answerFile, (await pay(gateway.url, first, 0)).text)
  const running: Readonly<Record<ServerName, ServerProcess>> = {
    bare: await serveBare(answerFile, false),
    ready: await serveBare(answerFile, true),
    tollgate: gateway,
  }
  const requests = prepareRequests(merchants)

  print('rate: warming up')
  for (const { url } of Object.values(running)) {
    await load(tool, { url, requests, connections: limits.connectionsFull, seconds: effort.warmUpSeconds })
  }
  const levels: RateFigures[] = []
  let answers = 0
  for (const connections of limits.connections) {
    const rounds: Record<ServerName, Sample>[] = []
    for (let round = 0; round < effort.rounds; round += 1) {
      const seconds = effort.roundSeconds
      const measure = (name: ServerName) => measureRound(tool, running[name], { requests, connections, seconds })
      const samples =
        round % 2 === 0
          ? { bare: await measure('bare'), ready: await measure('ready'), tollgate: await measure('tollgate') }
          : { tollgate: await measure('tollgate'), ready: await measure('ready'), bare: await measure('bare') }
      rounds.push(samples)
      answers += samples.tollgate.answers
      print(
        `rate: ${connections} connections, round ${round + 1} of ${effort.rounds}: ` +
          `bare ${Math.round(samples.bare.perSecond)}/s, Tollgate ${Math.round(samples.tollgate.perSecond)}/s`,
      )
    }
    const figuresOf = (name: ServerName) => medians(rounds.map((samples) => samples[name]))
    levels.push({
      connections,
      sides: { bare: figuresOf('bare'), ready: figuresOf('ready'), tollgate: figuresOf('tollgate') },
      ratio: spread(rounds.map(({ bare, tollgate }) => tollgate.perSecond / bare.perSecond)),
      ratioToReady: spread(rounds.map(({ ready, tollgate }) => tollgate.perSecond / ready.perSecond)),
      cpuRatio: spreadOfCpu(rounds.map(({ bare, tollgate }) => [tollgate.cpu, bare.cpu])),
      p99Ratio: spread(rounds.map(({ tollgate }) => tollgate.p99Ms / tollgate.meanMs)),
    })
  }
  const usage = usageOf(gateway.pid)
  await Promise.all(Object.values(running).map((server) => server.stop()))
  return {
    levels,
    memory: usage ? { residentMb: usage.residentBytes / 1e6, residentPeakMb: usage.residentPeakBytes / 1e6 } : null,
    answers,
  }
}

/** Loads a server for one round, and reads its processor time before and after. */
export async function measureRound(
  tool: Tool,
  { pid, url }: ServerProcess,
  round: Omit<Round, 'url'>,
): Promise<Sample> {
  const before = usageOf(pid)
  const figures = await load(tool, { url, ...round })
  return { ...figures, cpu: cpuPerAnswer(before, usageOf(pid), figures.answers) }
}

export function medians(samples: readonly Sample[]): ServerFigures {
  return {
    perSecond: median(samples.map((sample) => sample.perSecond)),
    meanMs: median(samples.map((sample) => sample.meanMs)),
    p50Ms: median(samples.map((sample) => sample.p50Ms)),
    p99Ms: median(samples.map((sample) => sample.p99Ms)),
    cpu: medianCpu(samples.map((sample) => sample.cpu)),
  }
}

/** The spread of the ratios of two servers' processor times, one ratio a round; null if a time is missing. */
export function spreadOfCpu(rounds: readonly (readonly [CpuPerAnswer | null, CpuPerAnswer | null])[]): Spread | null {
  const ratios = rounds.flatMap(([one, other]) => (one && other ? [totalUs(one) / totalUs(other)] : []))
  return ratios.length === rounds.length ? spread(ratios) : null
}
