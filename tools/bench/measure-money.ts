import { DAY_MS } from '@tollgate/contract'
import { freePort, runSqlite } from '@tollgate/storage/testing'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { BenchError } from './bench-error.ts'
import { scratch } from './clean-up.ts'
import type { Effort } from './limits.ts'
import type { findLoadTool } from './load.ts'
import { sizesOf } from './measure-bytes.ts'
import { measureMoneyLoad, type MoneyLoad } from './measure-money-load.ts'
import { measureExport, measureImport, measurePages, measurePosting } from './measure-money-work.ts'
import type { WorkFigures } from './measure-work.ts'
import { createMerchants, payModels } from './merchants.ts'
import { type MoneyYear, paymentsIn } from './money-files.ts'
import { serveGateway, serveSimulators } from './server-process.ts'
import { createPostgresStore, sqliteStore, type Store } from './store.ts'
import { storePayments } from './store-payments.ts'

/** The figures of a year of payments of one merchant, in one storage. */
export interface MoneyReport {
  readonly storage: string
  readonly payments: number
  readonly posting: WorkFigures
  /** Bytes of the ledger and of the daily sums for a payment, with indexes. */
  readonly ledgerBytes: number
  /** Settlement files, from the first upload to the last row that is matched. */
  readonly importing: WorkFigures
  /** The reconciliation file of the year. */
  readonly exporting: WorkFigures
  /** Resident memory of the gateway after a tenth of the export and at its end; null if it cannot be read. */
  readonly exportMb: { readonly early: number; readonly end: number } | null
  /** Medians of the pages of a month and of the reports of the year, in milliseconds. */
  readonly statementMs: number
  readonly totalsMs: number
  readonly analyticsMs: number
  readonly load: MoneyLoad
}

type Tool = ReturnType<typeof findLoadTool>
type Print = (line: string) => void

/**
 * Measures the ledger, the settlement and the reports of a merchant with a year of card payments at the acquirer's
 * host, in each storage. The gateway runs as for an operator: figures include its pauses and its management API.
 *
 * @param only the storage; undefined: both, without PostgreSQL if it is not installed
 */
export async function measureMoney(
  only: Store | undefined,
  tool: Tool,
  effort: Effort,
  print: Print,
): Promise<readonly MoneyReport[]> {
  const acquirerPort = await freePort()
  const host = await serveSimulators(acquirerPort)
  const settings = { TOLLGATE_ACQUIRER_ADDRESS: `127.0.0.1:${acquirerPort}` }
  const year = await storeYear(settings, effort, print)
  const reports: MoneyReport[] = []
  for (const store of await storesOf(only, print)) {
    const data = scratch(`money-${store.name}`)
    cpSync(year.data, data, { recursive: true })
    const migrated = await store.migrate(data)
    print(`money: ${year.count} payments stored on ${store.name}`)
    reports.push(
      await measureYear({ ...year, data, settings: { ...settings, ...migrated } }, store, tool, effort, print),
    )
    if (store !== only) await store.close()
  }
  await host.stop()
  return reports
}

async function storesOf(only: Store | undefined, print: Print): Promise<readonly Store[]> {
  if (only) return [only]
  const postgres = await createPostgresStore()
  if (!postgres) print('money: PostgreSQL left out, because it is not installed')
  return postgres ? [sqliteStore, postgres] : [sqliteStore]
}

async function storeYear(settings: MoneyYear['settings'], effort: Effort, print: Print): Promise<MoneyYear> {
  const data = scratch('money')
  const preparing = await serveGateway(data, [], settings)
  const { merchants } = await createMerchants(preparing.manageUrl)
  const ids = await payModels(preparing.url, merchants.slice(0, 1), 'EXTERNAL')
  await preparing.stop()
  runSqlite(join(data, 'tollgate.db'), FORGET_LEDGER)
  // All payments are of full days, so that a file is of one day.
  const spacingMs = Math.floor((effort.moneyDays * DAY_MS) / effort.moneyPayments)
  const times = { untilMs: Math.floor(Date.now() / DAY_MS) * DAY_MS, spacingMs }
  const firstNumber = paymentsIn(effort.moneyDaysBefore, { times })
  const count = firstNumber + paymentsIn(effort.moneyDays, { times })
  const startedMs = performance.now()
  const models = await storePayments(data, ids, count, times)
  print(`money: ${count} payments prepared in ${Math.round((performance.now() - startedMs) / 1000)} s`)
  const merchant = models[0]?.transaction.merchant
  if (merchant === undefined) throw new BenchError('there are no payments of the year')
  return { data, settings, merchants, models, count, times, firstNumber, merchant }
}

/** The ledger of the payments that are copied. The copies are older, so that they would be late transactions. */
const FORGET_LEDGER = ['transaction_feed', 'late_transaction', 'posting', 'ledger_day', 'transaction_day']
  .map((table) => `DELETE FROM ${table};`)
  .join('')

async function measureYear(
  year: MoneyYear,
  store: Store,
  tool: Tool,
  effort: Effort,
  print: Print,
): Promise<MoneyReport> {
  const database = year.settings['TOLLGATE_DATABASE_URL']
  const said = (text: string) => print(`money: ${store.name}: ${text}`)
  const before = await sizesOf(year.data, database)
  const poster = await serveGateway(year.data, [], year.settings)
  const posting = await measurePosting(poster, year)
  await poster.stop()
  const after = await sizesOf(year.data, database)
  const sizeOf = ({ tables }: typeof before) => ledgerTables.reduce((sum, name) => sum + (tables.get(name) ?? 0), 0)
  const ledgerBytes = (sizeOf(after) - sizeOf(before)) / year.count
  said(`${workText(posting)} posted, ${Math.round(ledgerBytes)} bytes each`)

  const gateway = await serveGateway(year.data, [], year.settings)
  const importing = await measureImport(gateway, year)
  said(`${workText(importing)} imported`)
  const { exporting, exportMb } = await measureExport(gateway, year, importing.rows)
  said(`${workText(exporting)} exported, ${exportMb?.early} MB and ${exportMb?.end} MB`)
  const pages = await measurePages(gateway, year)
  const figures = await measureMoneyLoad(gateway, year, tool, effort, said)
  await gateway.stop()
  return {
    storage: store.name,
    payments: year.count,
    posting,
    ledgerBytes,
    importing,
    exporting,
    exportMb,
    ...pages,
    load: figures,
  }
}

const ledgerTables = ['posting', 'ledger_day', 'transaction_day', 'transaction_feed', 'late_transaction']

const workText = ({ rows, perSecond, cpuUs }: WorkFigures): string =>
  `${rows} rows at ${Math.round(perSecond)}/s, ${cpuUs?.toFixed(1)} µs each`
