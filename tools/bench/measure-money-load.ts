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
  readonly perSecond: number
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

/** Pays at half of the capacity: in each round alone, and while files are imported and the year is exported. */
export async function measureMoneyLoad(
  gateway: BenchGateway,
  year: MoneyYear,
  tool: ReturnType<typeof findLoadTool>,
  effort: Effort,
  print: (line: string) => void,
): Promise<MoneyLoad> {
  const requests = prepareRequests(year.merchants)
  const seconds = effort.moneySeconds
  const capacity = await load(tool, {
    url: gateway.url,
    requests,
    connections: limits.connectionsFull,
    seconds: effort.warmUpSeconds,
  })
  const perSecond = Math.floor(capacity.perSecond * limits.moneyShare)
  const pay = () =>
    sendFromProcess({ url: gateway.url, requests, perSecond, connections: limits.overloadConnections, seconds })
  await pay()
  const files = filesOf(year, 0, year.firstNumber)
  const rounds: { readonly alone: number; readonly beside: number }[] = []
  let failures = 0
  let importedRows = 0
  let exportedBytes = 0
  for (let round = 0; round < effort.moneyRounds; round += 1) {
    const alone = await pay()
    let isPaying = true
    const beside = pay().finally(() => (isPaying = false))
    await delay(limits.moneyLeadMs)
    const importing = importWhile(gateway, year, files, () => isPaying)
    const exporting = exportWhile(gateway, year, () => isPaying)
    const paid = await beside
    importedRows += await importing
    exportedBytes += await exporting
    failures += paid.failures + paid.refused.count
    rounds.push({ alone: alone.accepted.p99Ms ?? Number.NaN, beside: paid.accepted.p99Ms ?? Number.NaN })
    print(
      `p99 at ${perSecond}/s ${alone.accepted.p99Ms} ms alone, ${paid.accepted.p99Ms} ms beside, ${importedRows} rows`,
    )
  }
  return {
    perSecond,
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
