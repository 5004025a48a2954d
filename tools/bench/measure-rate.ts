import { writeFileSync } from 'node:fs'
import { type Load, load, type loadTool } from './load.ts'
import { type Effort, limits } from './limits.ts'
import { createMerchants, pay } from './merchants.ts'
import { type CpuEach, cpuEach, usageOf } from './process-usage.ts'
import { scratch } from './resources.ts'
import { type Served, serveBare, serveGateway } from './served.ts'
import { median, type Spread, spread } from './statistics.ts'
import { MARK, prepare, type PreparedRequest } from './workload.ts'

/** One side at one number of connections: the medians of its rounds. */
export interface SideFigures {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** null where it cannot be read. */
  readonly cpu: CpuEach | null
}

export interface RateFigures {
  readonly connections: number
  readonly bare: SideFigures
  readonly tollgate: SideFigures
  /** Tollgate's rate ÷ the bare rate of the same round. */
  readonly ratio: Spread
}

export interface MemoryFigures {
  readonly residentMb: number
  readonly residentPeakMb: number
}

export interface RateReport {
  readonly levels: readonly RateFigures[]
  /** Of the gateway, right after the last load; null where it cannot be read. */
  readonly memory: MemoryFigures | null
  readonly answers: number
}

type Tool = ReturnType<typeof loadTool>
type Sample = Load & Pick<SideFigures, 'cpu'>

/**
 * Durable payments against bare Fastify, both running all the time and loaded in turns; which goes first changes with
 * every round, so that neither profits from a machine that warms up or slows down.
 */
export async function measureRate(tool: Tool, effort: Effort, tell: (line: string) => void): Promise<RateReport> {
  const gateway = await serveGateway(scratch('rate'))
  const payers = await createMerchants(gateway.manageUrl)
  const [first] = payers
  if (!first) throw new Error('the workload has merchants')
  const answerFile = scratch('answer.json')
  writeFileSync(answerFile, (await pay(gateway.url, first, MARK)).text)
  const bare = await serveBare(answerFile)
  const requests = prepare(payers)

  tell('rate: warming up')
  for (const { url } of [bare, gateway]) {
    await load(tool, { url, requests, connections: limits.connectionsFull, seconds: effort.warmUpSeconds })
  }
  const levels: RateFigures[] = []
  let answers = 0
  for (const connections of limits.connections) {
    const samples: { bare: Sample; tollgate: Sample }[] = []
    for (let round = 0; round < effort.rounds; round += 1) {
      const sides = round % 2 === 0 ? [bare, gateway] : [gateway, bare]
      const measured = new Map<Served, Sample>()
      for (const side of sides) measured.set(side, await sample(tool, side, requests, connections, effort.roundSeconds))
      const pair = { bare: sampleOf(measured, bare), tollgate: sampleOf(measured, gateway) }
      samples.push(pair)
      answers += pair.tollgate.answers
      tell(
        `rate: ${connections} connections, round ${round + 1} of ${effort.rounds}: ` +
          `bare ${Math.round(pair.bare.perSecond)}/s, Tollgate ${Math.round(pair.tollgate.perSecond)}/s`,
      )
    }
    levels.push({
      connections,
      bare: medians(samples.map((pair) => pair.bare)),
      tollgate: medians(samples.map((pair) => pair.tollgate)),
      ratio: spread(samples.map((pair) => pair.tollgate.perSecond / pair.bare.perSecond)),
    })
  }
  const usage = usageOf(gateway.pid)
  await Promise.all([bare.stop(), gateway.stop()])
  return {
    levels,
    memory: usage ? { residentMb: usage.residentBytes / 1e6, residentPeakMb: usage.residentPeakBytes / 1e6 } : null,
    answers,
  }
}

async function sample(
  tool: Tool,
  { pid, url }: Served,
  requests: readonly PreparedRequest[],
  connections: number,
  seconds: number,
): Promise<Sample> {
  const before = usageOf(pid)
  const seen = await load(tool, { url, requests, connections, seconds })
  return { ...seen, cpu: cpuEach(before, usageOf(pid), seen.answers) }
}

function sampleOf(measured: ReadonlyMap<Served, Sample>, side: Served): Sample {
  const found = measured.get(side)
  if (!found) throw new Error('every round measures both sides')
  return found
}

function medians(samples: readonly Sample[]): SideFigures {
  const cpu = samples.map((one) => one.cpu).filter((one) => one !== null)
  return {
    perSecond: median(samples.map((one) => one.perSecond)),
    p50Ms: median(samples.map((one) => one.p50Ms)),
    p99Ms: median(samples.map((one) => one.p99Ms)),
    cpu:
      cpu.length === samples.length
        ? { mainUs: median(cpu.map((one) => one.mainUs)), othersUs: median(cpu.map((one) => one.othersUs)) }
        : null,
  }
}
