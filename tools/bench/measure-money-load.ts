import { setTimeout as delay } from 'node:timers/promises'
import { type Effort, limits } from './limits.ts'
import { load, type findLoadTool } from './load.ts'
import { exportOf, filesOf, importFiles } from './measure-money-work.ts'
import type { MoneyYear } from './money-files.ts'
import { sendFromProcess } from './send-from-process.ts'
import type { BenchGateway } from './server-process.ts'
import { type Spread, spread } from './statistics.ts'
import { prepareRequests } from './workload.ts'

/** Payments at a part of the capacity, alone and while the gateway posts, imports and exports. */
export interface MoneyLoad {
  /** The rate of each round, from the capacity that was measured before it. */
  readonly perSecond: Spread
  readonly aloneP99Ms: Spread
  readonly besideP99Ms: Spread
  /** p99 beside ÷ p99 alone, of each round. */
  readonly ratio: Spread
  /** Payments of all rounds that were not answered with 200. */
  readonly failures: number
  /** Rows of the files that were imported, and bytes of the records that were exported, in all rounds. */
  readonly importedRows: number
  readonly exportedBytes: number
}

/**
 * Pays at half of the capacity, in each round alone and while files are imported and the year is exported; the order of
 * the two alternates. Each round measures the capacity anew, because the speed of shared machines varies.
 */
export async function measureMoneyLoad(
  gateway: BenchGateway,
  year: MoneyYear,
  tool: ReturnType<typeof findLoadTool>,
  effort: Effort,
  print: (line: string) => void,
): Promise<MoneyLoad> {
  const requests = prepareRequests(year.merchants)
  const files = filesOf(year, 0, year.firstNumber)
  const { url } = gateway
  const { moneyShare, moneyLeadSeconds: leadSeconds, moneyWorkMs, connectionsFull, overloadConnections } = limits
  const seconds = leadSeconds + effort.moneySeconds
  const rounds: { readonly perSecond: number; readonly alone: number; readonly beside: number }[] = []
  let failures = 0
  let importedRows = 0
  let exportedBytes = 0

  async function payAlone(perSecond: number): Promise<number> {
    const paid = await sendFromProcess({
      url,
      requests,
      perSecond,
      connections: overloadConnections,
      seconds,
      leadSeconds,
    })
    failures += paid.failures + paid.notSent + paid.refused.count
    return paid.accepted.p99Ms ?? Number.NaN
  }

  async function payBeside(perSecond: number): Promise<number> {
    let isPaying = true
    const paying = payAlone(perSecond).finally(() => (isPaying = false))
    await delay(moneyWorkMs)
    const importing = importWhile(gateway, year, files, () => isPaying)
    const exporting = exportWhile(gateway, year, () => isPaying)
    const p99Ms = await paying
    importedRows += await importing
    exportedBytes += await exporting
    return p99Ms
  }

  for (let round = 0; round < effort.moneyRounds; round += 1) {
    const warmUp = { url, requests, connections: connectionsFull, seconds: effort.warmUpSeconds }
    const perSecond = Math.floor((await load(tool, warmUp)).perSecond * moneyShare)
    const before = round % 2 === 0 ? await payAlone(perSecond) : undefined
    const beside = await payBeside(perSecond)
    const alone = before ?? (await payAlone(perSecond))
    rounds.push({ perSecond, alone, beside })
    print(`p99 at ${perSecond}/s ${alone} ms alone, ${beside} ms beside, ${importedRows} rows`)
  }
  return {
    perSecond: spread(rounds.map(({ perSecond }) => perSecond)),
    aloneP99Ms: spread(rounds.map(({ alone }) => alone)),
    besideP99Ms: spread(rounds.map(({ beside }) => beside)),
    ratio: spread(rounds.map(({ alone, beside }) => beside / alone)),
    failures,
    importedRows,
    exportedBytes,
  }
}

/** Imports one file after the other. @param files those that are not imported; the imported ones are removed */
async function importWhile(
  gateway: BenchGateway,
  year: MoneyYear,
  files: (readonly [number, number])[],
  isPaying: () => boolean,
): Promise<number> {
  let rows = 0
  for (let file = files.pop(); file && isPaying(); file = files.pop()) rows += await importFiles(gateway, year, [file])
  return rows
}

/** Exports the year again and again. @returns the bytes of the exports */
async function exportWhile(gateway: BenchGateway, year: MoneyYear, isPaying: () => boolean): Promise<number> {
  let bytes = 0
  while (isPaying())
    for await (const chunk of exportOf(gateway, year)) {
      bytes += chunk.length
      if (!isPaying()) break
    }
  return bytes
}
