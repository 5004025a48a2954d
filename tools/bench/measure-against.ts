import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { BenchError } from './bench-error.ts'
import { scratch } from './clean-up.ts'
import { type Effort, limits } from './limits.ts'
import { type findLoadTool, load } from './load.ts'
import { measureRound, medians, type Sample, type ServerFigures, spreadOfCpu } from './measure-rate.ts'
import { createMerchants } from './merchants.ts'
import { gatewayMain, serveGateway } from './server-process.ts'
import { type Spread, spread } from './statistics.ts'
import type { Store } from './store.ts'
import { prepareRequests } from './workload.ts'

/** This build compared with the build of another checkout. */
export interface AgainstReport {
  readonly directory: string
  readonly rounds: number
  readonly own: ServerFigures
  readonly other: ServerFigures
  /** The rate of this build ÷ the rate of the other in the same round. */
  readonly ratio: Spread
  /** The processor time for a payment by all threads, in the same way; null if it cannot be read. */
  readonly cpuRatio: Spread | null
}

/**
 * Compares the rates of durable payments of two builds. Both gateways run throughout, with new data, and are loaded in
 * turn, in an order that is reversed in every round.
 *
 * @param directory a checkout whose `npm run build` has made dist/tollgate.js
 */
export async function measureAgainst(
  directory: string,
  tool: ReturnType<typeof findLoadTool>,
  store: Store,
  effort: Effort,
  print: (line: string) => void,
): Promise<AgainstReport> {
  const otherMain = join(resolve(directory), 'dist', 'tollgate.js')
  if (!existsSync(otherMain)) throw new BenchError(`${otherMain} does not exist: build that checkout first`)
  const connections = limits.connectionsFull
  const serve = async (name: string, main: string) => {
    const gateway = await serveGateway(scratch(name), [], await store.create(), main)
    const requests = prepareRequests((await createMerchants(gateway.manageUrl)).merchants)
    await load(tool, { url: gateway.url, requests, connections, seconds: effort.warmUpSeconds })
    return {
      stop: () => gateway.stop(),
      measure: () => measureRound(tool, gateway, { requests, connections, seconds: effort.roundSeconds }),
    }
  }
  const own = await serve('own', gatewayMain)
  const other = await serve('other', otherMain)
  const rounds: { readonly own: Sample; readonly other: Sample }[] = []
  for (let round = 0; round < effort.pairedRounds; round += 1) {
    const pair =
      round % 2 === 0
        ? { own: await own.measure(), other: await other.measure() }
        : { other: await other.measure(), own: await own.measure() }
    rounds.push(pair)
    print(
      `rate: round ${round + 1} of ${effort.pairedRounds}: ` +
        `this build ${Math.round(pair.own.perSecond)}/s, the other ${Math.round(pair.other.perSecond)}/s`,
    )
  }
  await Promise.all([own.stop(), other.stop()])
  return {
    directory: resolve(directory),
    rounds: rounds.length,
    own: medians(rounds.map((pair) => pair.own)),
    other: medians(rounds.map((pair) => pair.other)),
    ratio: spread(rounds.map((pair) => pair.own.perSecond / pair.other.perSecond)),
    cpuRatio: spreadOfCpu(rounds.map((pair) => [pair.own.cpu, pair.other.cpu])),
  }
}
