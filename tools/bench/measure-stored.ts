import { cpSync, rmSync } from 'node:fs'
import { type Load, load, type findLoadTool } from './load.ts'
import { type Effort, limits } from './limits.ts'
import { measureReads, prepareReads, type ReadFigures, type Reads } from './measure-reads.ts'
import { createMerchants, payModels } from './merchants.ts'
import { scratch } from './clean-up.ts'
import { serveGateway } from './server-process.ts'
import { median, type Spread, spread } from './statistics.ts'
import type { Store } from './store.ts'
import { storePayments } from './store-payments.ts'
import { type MerchantAccess, prepareRequests, type PreparedRequest } from './workload.ts'

interface StoredFigures {
  readonly payments: number
  readonly perSecond: number
  readonly p99Ms: number
}

export interface StoredReport {
  readonly few: StoredFigures
  readonly many: StoredFigures
  /** The rate with many stored payments ÷ the rate with few, of the same round. */
  readonly ratio: Spread
  /** The rates of merchants' reads with few and with many stored payments. */
  readonly reads: readonly ReadFigures[]
}

/** The merchants and reads of both data sets, and the time near which the last payments are dated. */
interface PreparedData {
  readonly merchants: readonly MerchantAccess[]
  readonly reads: Reads
  readonly untilMs: number
}

export type Tool = ReturnType<typeof findLoadTool>

/**
 * Compares the rates of payments and reads on a small and on a large data set. Rounds of payments alternate between the
 * sets, each time in a new process. The small set is copied for every round, because a round adds more rows to it than
 * it contains.
 */
export async function measureStored(
  tool: Tool,
  store: Store,
  effort: Effort,
  print: (line: string) => void,
): Promise<StoredReport> {
  const few = scratch('stored-few')
  const many = scratch('stored-many')
  const prepared = await prepareData(few, many, effort, print)
  const requests = prepareRequests(prepared.merchants)
  const manySettings = await store.migrate(many)

  const loadFew = async () => {
    const copy = scratch('stored-few-copy')
    cpSync(few, copy, { recursive: true })
    const measured = await loadFolder(tool, copy, await store.migrate(copy), { requests, effort })
    rmSync(copy, { recursive: true })
    return measured
  }
  const loadMany = () => loadFolder(tool, many, manySettings, { requests, effort })
  const sides = {
    few: { payments: effort.storedFew, load: loadFew },
    many: { payments: effort.storedMany, load: loadMany },
  }
  const rates = await compareLoads('stored', sides, effort.rounds, print)
  return { ...rates, reads: await readFolders({ few, many }, manySettings, { store, effort, prepared, print }) }
}

/** A number of stored payments, and the measurement of the rate of new payments beside them. */
interface LoadedSide {
  readonly payments: number
  readonly load: () => Promise<Load>
}

/** Compares the rates of payments beside few and beside many stored payments, in turn. @param part for the progress */
export async function compareLoads(
  part: string,
  { few, many }: { readonly few: LoadedSide; readonly many: LoadedSide },
  rounds: number,
  print: (line: string) => void,
): Promise<Omit<StoredReport, 'reads'>> {
  const samples: { few: Load; many: Load }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const pair =
      round % 2 === 0
        ? { few: await few.load(), many: await many.load() }
        : { many: await many.load(), few: await few.load() }
    samples.push(pair)
    print(
      `${part}: round ${round + 1} of ${rounds}: ` +
        `few ${Math.round(pair.few.perSecond)}/s, many ${Math.round(pair.many.perSecond)}/s`,
    )
  }
  return {
    few: figures(
      few.payments,
      samples.map((pair) => pair.few),
    ),
    many: figures(
      many.payments,
      samples.map((pair) => pair.many),
    ),
    ratio: spread(samples.map((pair) => pair.many.perSecond / pair.few.perSecond)),
  }
}

/** Fills two data folders with the same merchants and resources, and with few and many stored payments. */
async function prepareData(
  few: string,
  many: string,
  effort: Effort,
  print: (line: string) => void,
): Promise<PreparedData> {
  const gateway = await serveGateway(few)
  const { merchants } = await createMerchants(gateway.manageUrl)
  const models = await payModels(gateway.url, merchants)
  const reads = await prepareReads(gateway.url, merchants)
  await gateway.stop()
  cpSync(few, many, { recursive: true })
  const untilMs = Date.now()
  await storePayments(few, models, effort.storedFew)
  const startedMs = performance.now()
  await storePayments(many, models, effort.storedMany)
  const seconds = (performance.now() - startedMs) / 1000
  print(`stored: ${effort.storedMany} payments prepared in ${Math.round(seconds)} s`)
  return { merchants, reads, untilMs }
}

/** Measures reads of both folders. Both gateways run throughout: one without requests hardly disturbs the other. */
async function readFolders(
  { few, many }: { readonly few: string; readonly many: string },
  settings: Readonly<Record<string, string>>,
  measurement: {
    readonly store: Store
    readonly effort: Effort
    readonly prepared: PreparedData
    readonly print: (line: string) => void
  },
): Promise<readonly ReadFigures[]> {
  const { store, effort, prepared, print } = measurement
  const fewGateway = await serveGateway(few, [], await store.migrate(few))
  const manyGateway = await serveGateway(many, [], settings)
  const { merchants, reads, untilMs } = prepared
  const stored = (url: string, count: number) => ({ url, count, untilMs })
  const figuresOfReads = await measureReads(
    stored(fewGateway.url, effort.storedFew),
    stored(manyGateway.url, effort.storedMany),
    merchants,
    reads,
  )
  for (const { name, ratio } of figuresOfReads) print(`stored: GET ${name} ${ratio.median.toFixed(2)}`)
  await fewGateway.stop()
  await manyGateway.stop()
  return figuresOfReads
}

/** Measures the rate of payments of a new gateway on a data folder or, by its settings, on a database. */
export async function loadFolder(
  tool: Tool,
  data: string,
  settings: Readonly<Record<string, string>>,
  { requests, effort }: { readonly requests: readonly PreparedRequest[]; readonly effort: Effort },
): Promise<Load> {
  const gateway = await serveGateway(data, [], settings)
  const round = { url: gateway.url, requests, connections: limits.connectionsFull }
  await load(tool, { ...round, seconds: effort.warmUpSeconds })
  const measured = await load(tool, { ...round, seconds: effort.roundSeconds })
  await gateway.stop()
  return measured
}

/** The medians of loads, beside `payments` stored payments. */
function figures(payments: number, loads: readonly Load[]): StoredFigures {
  return {
    payments,
    perSecond: median(loads.map(({ perSecond }) => perSecond)),
    p99Ms: median(loads.map(({ p99Ms }) => p99Ms)),
  }
}
