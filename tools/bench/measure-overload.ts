import { type Effort, limits } from './limits.ts'
import { load, type findLoadTool } from './load.ts'
import { createMerchants } from './merchants.ts'
import { usageOf } from './process-usage.ts'
import type { OpenLoopFigures } from './open-loop-load.ts'
import { sendFromProcess } from './send-from-process.ts'
import { serveGateway } from './server-process.ts'
import { type Spread, spread } from './statistics.ts'
import { scratch } from './clean-up.ts'
import { prepareRequests, type PreparedRequest } from './workload.ts'

/** Figures of an overload by many merchants. */
export interface OverloadFigures extends OpenLoopFigures {
  readonly offeredPerSecond: number
  readonly acceptedPerSecond: number
  /** Resident memory of the gateway at even intervals; empty if it cannot be read. */
  readonly residentMb: readonly number[]
}

/** Figures of a merchant that pays at a steady rate, alone and beside another merchant that floods the gateway. */
export interface FairnessFigures {
  readonly perSecond: number
  readonly floodPerSecond: number
  readonly rounds: readonly {
    readonly alone: OpenLoopFigures
    readonly flooded: OpenLoopFigures
    readonly flood: OpenLoopFigures
  }[]
  readonly aloneP99Ms: Spread
  readonly floodedP99Ms: Spread
  /** The refused share of the payments of the merchant with the steady rate, beside the flood. */
  readonly refusedShare: number
}

export interface OverloadReport {
  readonly capacityPerSecond: number
  readonly seconds: number
  readonly overload: OverloadFigures
  readonly fairness: FairnessFigures
}

type Print = (line: string) => void

/** A gateway with a measured capacity, and a function that overloads it. */
interface OverloadedGateway {
  readonly url: string
  readonly pid: number
  readonly requests: readonly PreparedRequest[]
  readonly floodPerSecond: number
  /** Sends a flood from a process of lower priority. */
  readonly flood: (requests: readonly PreparedRequest[], seconds: number) => Promise<OpenLoopFigures>
}

/**
 * Sends payments in an open loop, at three times the rate that the gateway reached in a closed loop: first from all
 * merchants, then from one, while another merchant pays at a steady rate. The senders run in processes of their own,
 * and the flood has the lower priority, because senders take processor time from the gateway.
 */
export async function measureOverload(
  tool: ReturnType<typeof findLoadTool>,
  effort: Effort,
  print: Print,
): Promise<OverloadReport> {
  const gateway = await serveGateway(scratch('overload'))
  const requests = prepareRequests((await createMerchants(gateway.manageUrl)).merchants)
  const { url, pid } = gateway
  const connections = limits.connectionsFull
  print('overload: measuring the capacity of the gateway')
  await load(tool, { url, requests, connections, seconds: effort.warmUpSeconds })
  const { perSecond } = await load(tool, { url, requests, connections, seconds: effort.roundSeconds })
  const capacityPerSecond = Math.round(perSecond)
  const floodPerSecond = limits.overloadFactor * capacityPerSecond
  const target: OverloadedGateway = {
    url,
    pid,
    requests,
    floodPerSecond,
    flood: (floodRequests, seconds) =>
      sendFromProcess(
        { url, requests: floodRequests, perSecond: floodPerSecond, seconds, connections: limits.overloadConnections },
        10,
      ),
  }
  const seconds = effort.overloadSeconds
  print(`overload: ${floodPerSecond}/s for ${seconds} s, with a capacity of ${capacityPerSecond}/s`)
  const overload = await measureAll(target, seconds)
  const fairness = await measureFairness(target, effort, print)
  await gateway.stop()
  return { capacityPerSecond, seconds, overload, fairness }
}

/** Measures an overload by all merchants together. */
async function measureAll(
  { pid, requests, floodPerSecond, flood }: OverloadedGateway,
  seconds: number,
): Promise<OverloadFigures> {
  const resident: number[] = []
  const reading = setInterval(
    () => resident.push(Math.round((usageOf(pid)?.residentBytes ?? Number.NaN) / 1e6)),
    (seconds * 1000) / limits.memoryReadings,
  )
  const figures = await flood(requests, seconds)
  clearInterval(reading)
  return {
    ...figures,
    offeredPerSecond: floodPerSecond,
    acceptedPerSecond: figures.accepted.count / seconds,
    residentMb: resident.filter((megabytes) => !Number.isNaN(megabytes)),
  }
}

/** Measures a merchant that pays at a steady rate, alone and beside another merchant that sends the whole overload. */
async function measureFairness(
  { url, requests, floodPerSecond, flood }: OverloadedGateway,
  effort: Effort,
  print: Print,
) {
  const requestsOf = (merchant: number) => requests.filter((_, index) => index % limits.merchants === merchant)
  const [flooder, merchant] = [requestsOf(0), requestsOf(1)]
  const { steadyPerSecond: perSecond, steadyConnections: connections } = limits
  const payAtSteadyRate = () =>
    sendFromProcess({ url, requests: merchant, perSecond, seconds: effort.fairSeconds, connections })
  const rounds: FairnessFigures['rounds'][number][] = []
  for (let round = 0; round < effort.rounds; round += 1) {
    const alone = await payAtSteadyRate()
    const [flooded, flooding] = await Promise.all([payAtSteadyRate(), flood(flooder, effort.fairSeconds)])
    rounds.push({ alone, flooded, flood: flooding })
    print(
      `overload: round ${round + 1} of ${effort.rounds}: p99 ${alone.accepted.p99Ms} ms alone, ` +
        `${flooded.accepted.p99Ms} ms beside a flood`,
    )
  }
  const sum = (pick: (figures: OpenLoopFigures) => number) =>
    rounds.reduce((total, { flooded }) => total + pick(flooded), 0)
  return {
    perSecond,
    floodPerSecond,
    rounds,
    aloneP99Ms: spread(rounds.map(({ alone }) => alone.accepted.p99Ms ?? Number.NaN)),
    floodedP99Ms: spread(rounds.map(({ flooded }) => flooded.accepted.p99Ms ?? Number.NaN)),
    refusedShare: sum(({ refused }) => refused.count) / sum(({ sent }) => sent),
  }
}
