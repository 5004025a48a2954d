import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Effort, limits } from './limits.ts'
import { load, type loadTool } from './load.ts'
import { createMerchants } from './merchants.ts'
import { usageOf } from './process-usage.ts'
import { scratch } from './resources.ts'
import { serveGateway } from './served.ts'
import { type Spread, spread } from './statistics.ts'
import type { Stream, StreamSight } from './stream.ts'
import { prepare, type PreparedRequest } from './workload.ts'

/** More than the gateway can do, from many merchants alike. */
export interface OverloadFigures extends StreamSight {
  readonly offeredPerSecond: number
  readonly acceptedPerSecond: number
  /** Of the gateway, evenly over the time; empty where it cannot be read. */
  readonly residentMb: readonly number[]
}

/** One merchant that pays steadily, alone and while another one floods. */
export interface FairnessFigures {
  readonly perSecond: number
  readonly floodPerSecond: number
  readonly rounds: readonly {
    readonly alone: StreamSight
    readonly flooded: StreamSight
    readonly flood: StreamSight
  }[]
  readonly aloneP99Ms: Spread
  readonly floodedP99Ms: Spread
  /** Refused share of the payments of the merchant with a steady rate. */
  readonly refusedShare: number
}

export interface OverloadReport {
  readonly capacityPerSecond: number
  readonly seconds: number
  readonly overload: OverloadFigures
  readonly fairness: FairnessFigures
}

type Print = (line: string) => void

/** A gateway whose capacity is known, and how to send it more than that. */
interface Full {
  readonly url: string
  readonly pid: number
  readonly requests: readonly PreparedRequest[]
  readonly floodPerSecond: number
  /** Sent by a process of lower priority. */
  readonly flood: (some: readonly PreparedRequest[], seconds: number) => Promise<StreamSight>
}

/**
 * Three times as many payments a second as the gateway took in a closed loop, sent whether or not earlier ones have
 * been answered; then the same from one merchant alone, beside another one. The senders are processes of their own, and
 * the flood's gives way to the other's: what they take of the machine they take from the gateway too.
 */
export async function measureOverload(
  tool: ReturnType<typeof loadTool>,
  effort: Effort,
  print: Print,
): Promise<OverloadReport> {
  const gateway = await serveGateway(scratch('overload'))
  const requests = prepare((await createMerchants(gateway.manageUrl)).payers)
  const { url, pid } = gateway
  const connections = limits.connectionsFull
  print('overload: finding what the gateway can do')
  await load(tool, { url, requests, connections, seconds: effort.warmUpSeconds })
  const { perSecond } = await load(tool, { url, requests, connections, seconds: effort.roundSeconds })
  const capacityPerSecond = Math.round(perSecond)
  const floodPerSecond = limits.overloadFactor * capacityPerSecond
  const full: Full = {
    url,
    pid,
    requests,
    floodPerSecond,
    flood: (some, seconds) =>
      stream({ url, requests: some, perSecond: floodPerSecond, seconds, connections: limits.overloadConnections }, 10),
  }
  const seconds = effort.overloadSeconds
  print(`overload: ${floodPerSecond}/s for ${seconds} s, against ${capacityPerSecond}/s that it can do`)
  const overload = await overloaded(full, seconds)
  const fairness = await fair(full, effort, print)
  await gateway.stop()
  return { capacityPerSecond, seconds, overload, fairness }
}

/** All merchants send more than it can do. */
async function overloaded({ pid, requests, floodPerSecond, flood }: Full, seconds: number): Promise<OverloadFigures> {
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
    residentMb: resident.filter((one) => !Number.isNaN(one)),
  }
}

/** One merchant pays steadily, alone and beside another that sends all that was too much before. */
async function fair({ url, requests, floodPerSecond, flood }: Full, effort: Effort, print: Print) {
  const [flooder, payer] = [requests.slice(0, 1), requests.slice(1, 2)]
  const { steadyPerSecond: perSecond, steadyConnections: connections } = limits
  const steadily = () => stream({ url, requests: payer, perSecond, seconds: effort.fairSeconds, connections })
  const rounds: FairnessFigures['rounds'][number][] = []
  for (let round = 0; round < effort.rounds; round += 1) {
    const alone = await steadily()
    const [flooded, flooding] = await Promise.all([steadily(), flood(flooder, effort.fairSeconds)])
    rounds.push({ alone, flooded, flood: flooding })
    print(
      `overload: round ${round + 1} of ${effort.rounds}: p99 ${alone.accepted.p99Ms} ms alone, ` +
        `${flooded.accepted.p99Ms} ms beside a flood`,
    )
  }
  const sum = (of: (sight: StreamSight) => number) => rounds.reduce((total, { flooded }) => total + of(flooded), 0)
  return {
    perSecond,
    floodPerSecond,
    rounds,
    aloneP99Ms: spread(rounds.map(({ alone }) => alone.accepted.p99Ms ?? Number.NaN)),
    floodedP99Ms: spread(rounds.map(({ flooded }) => flooded.accepted.p99Ms ?? Number.NaN)),
    refusedShare: sum(({ refused }) => refused.count) / sum(({ sent }) => sent),
  }
}

const sender = fileURLToPath(new URL('send-stream.js', import.meta.url))
const execute = promisify(execFile)
let streams = 0

/** Sends a stream from a process of its own. @param niceness how far it gives way to other processes */
async function stream(what: Stream, niceness = 0): Promise<StreamSight> {
  streams += 1
  const file = scratch(`stream-${streams}.json`)
  writeFileSync(file, JSON.stringify(what))
  const { stdout } = await execute(process.execPath, [sender, file, String(niceness)], {
    timeout: what.seconds * 1000 + limits.loadGraceMs,
  })
  return JSON.parse(stdout)
}
