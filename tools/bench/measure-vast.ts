import { DAY_MS } from '@tollgate/contract'
import { cpSync } from 'node:fs'
import { BenchError } from './bench-error.ts'
import { scratch } from './clean-up.ts'
import { type CopyingDatabase, postgresDatabase, sqliteDatabase } from './copying-database.ts'
import { type Effort, limits } from './limits.ts'
import { type ArchiveReport, measureArchive } from './measure-archive.ts'
import { compareReads, type Read, type Reads } from './measure-reads.ts'
import { compareLoads, loadFolder, type StoredReport, type Tool } from './measure-stored.ts'
import { createMerchants, payModels } from './merchants.ts'
import { multiplyPayments } from './multiply-payments.ts'
import { serveGateway } from './server-process.ts'
import { SPACING_MS, storePayments } from './store-payments.ts'
import type { Store } from './store.ts'
import { type MerchantAccess, prepareRequests } from './workload.ts'

/** A page of up to 500 transactions: the duration in which each merchant made more. */
const PAGE_MS = 500 * limits.vastMerchants * SPACING_MS + 60_000

/** A gateway's data: a folder and, on PostgreSQL, the settings with the address of the database. */
interface Stored {
  readonly data: string
  readonly settings: Readonly<Record<string, string>>
  readonly database: CopyingDatabase
  readonly count: number
}

/** The span in which reads find payments, epoch milliseconds. */
interface Span {
  readonly fromMs: number
  readonly untilMs: number
}

/** The figures of a storage with few and with many payments and, on PostgreSQL, of changes of its partitions. */
export interface VastReport extends StoredReport {
  readonly archive: ArchiveReport | undefined
}

/**
 * Compares a storage with 20 million payments with one of 10 thousand: the rates of new payments, and of reads with
 * most of them in the last 30 days, and of reads that are spread evenly over all payments. Each list of reads is read
 * before it is measured.
 */
export async function measureVast(
  tool: Tool,
  store: Store,
  effort: Effort,
  print: (line: string) => void,
): Promise<VastReport> {
  const data = { few: scratch('vast-few'), many: scratch('vast-many') }
  const preparing = await serveGateway(data.few)
  const { merchants: all } = await createMerchants(preparing.manageUrl)
  const merchants = all.slice(0, limits.vastMerchants)
  const models = await payModels(preparing.url, merchants)
  await preparing.stop()
  const untilMs = Date.now()
  await storePayments(data.few, models, effort.storedFew)
  cpSync(data.few, data.many, { recursive: true })
  const earlier = {
    count: effort.vastPayments - effort.storedFew,
    untilMs: untilMs - effort.storedFew * SPACING_MS,
  }
  // PostgreSQL's partitions begin with the month of the oldest payment that is moved.
  await storePayments(data.many, models, 1, { untilMs: earlier.untilMs - earlier.count * SPACING_MS })
  const few = await storedIn(store, data.few, effort.storedFew)
  const many = await storedIn(store, data.many, effort.vastPayments)
  await multiplyPayments(many.database, earlier, print)
  const reads = { few: await readsOf(few, untilMs, merchants), many: await readsOf(many, untilMs, merchants) }

  const requests = prepareRequests(merchants)
  const sideOf = ({ data: folder, settings, count }: Stored) => ({
    payments: count,
    load: () => loadFolder(tool, folder, settings, { requests, effort }),
  })
  const rates = await compareLoads('vast', { few: sideOf(few), many: sideOf(many) }, effort.rounds, print)
  const fewGateway = await serveGateway(few.data, [], few.settings)
  const manyGateway = await serveGateway(many.data, [], many.settings)
  const readFigures = await compareReads(
    { url: fewGateway.url, reads: reads.few },
    { url: manyGateway.url, reads: reads.many },
    true,
  )
  for (const { name, ratio } of readFigures) print(`vast: GET ${name} ${ratio.median.toFixed(2)}`)
  await fewGateway.stop()
  await manyGateway.stop()
  const url = many.settings['TOLLGATE_DATABASE_URL']
  const perSecond = Math.round(rates.many.perSecond * limits.changeShare)
  const archive =
    url === undefined ? undefined : await measureArchive({ data: many.data, url, requests, perSecond }, effort, print)
  return { ...rates, reads: readFigures, archive }
}

async function storedIn(store: Store, data: string, count: number): Promise<Stored> {
  const settings = await store.migrate(data)
  const url = settings.TOLLGATE_DATABASE_URL
  return { data, settings, database: url === undefined ? sqliteDatabase(data) : postgresDatabase(url), count }
}

/** All reads of payments, most of them in the last days, and the same reads spread evenly. */
async function readsOf(
  { database, count }: Stored,
  untilMs: number,
  merchants: readonly MerchantAccess[],
): Promise<Reads> {
  const evenly = { fromMs: untilMs - count * SPACING_MS, untilMs }
  const recent = { fromMs: Math.max(evenly.fromMs, untilMs - limits.vastRecentDays * DAY_MS), untilMs }
  const spanOf = (number: number) => (number % 10 < limits.vastRecentShare * 10 ? recent : evenly)
  const lists = [
    ...Object.entries(await readsIn(database, merchants, spanOf)),
    ...Object.entries(await readsIn(database, merchants, () => evenly)).map(
      ([name, reads]) => [`${name}, evenly`, reads] as const,
    ),
  ]
  return Object.fromEntries(lists)
}

async function readsIn(
  database: CopyingDatabase,
  merchants: readonly MerchantAccess[],
  spanOf: (number: number) => Span,
): Promise<Reads> {
  const times = Array.from({ length: limits.vastReads }, (_, number) => timeIn(spanOf(number), number))
  const payments = await paymentsAt(database, times)
  const byChannel = new Map(merchants.map((merchant) => [merchant.channel, merchant]))
  const merchantOf = (channel: string): MerchantAccess => {
    const merchant = byChannel.get(channel)
    if (!merchant) throw new BenchError('a stored payment has no merchant of the workload')
    return merchant
  }
  const byId = (path: string) =>
    payments.map(({ id, channel }): Read => ({ merchant: merchantOf(channel), path: `${path}/${id}` }))
  const pages = times.map((atMs, number): Read => {
    const fromMs = Math.min(atMs, spanOf(number).untilMs - PAGE_MS)
    const merchant = merchants[number % merchants.length]
    if (!merchant) throw new BenchError('the workload has no merchants')
    const parameters = { 'date.from': dateText(fromMs), 'date.to': dateText(fromMs + PAGE_MS), limit: '500' }
    return { merchant, path: '/v1/query', parameters }
  })
  return {
    '/v1/payments/{id}': byId('/v1/payments'),
    '/v1/query/{id}': byId('/v1/query'),
    '/v3/query/{id}': byId('/v3/query'),
    '/v1/query?merchantTransactionId=': payments.map(({ channel, reference }) => ({
      merchant: merchantOf(channel),
      path: '/v1/query',
      parameters: { merchantTransactionId: reference },
    })),
    '/v1/query?date.from=&date.to=, a page of 500': pages,
  }
}

/** The first payment at or after each time. */
function paymentsAt(
  { query, textSql }: CopyingDatabase,
  times: readonly number[],
): Promise<readonly { readonly id: string; readonly channel: string; readonly reference: string }[]> {
  const first = (member: string) =>
    `(SELECT ${member} FROM payment_transaction WHERE root_id >= ${textSql('sampled.at_ms', 'hex', 12)}
      AND merchant_transaction_id IS NOT NULL ORDER BY root_id LIMIT 1)`
  const values = times.map((atMs) => `(${atMs})`).join(', ')
  return query(
    `SELECT ${first('id')} AS id, ${first('channel')} AS channel, ${first('merchant_transaction_id')} AS reference
      FROM (WITH listed (at_ms) AS (VALUES ${values}) SELECT at_ms FROM listed) AS sampled`,
  )
}

/** A time in the span; the times of successive numbers are spread over the whole span, and are the same in each run. */
function timeIn({ fromMs, untilMs }: Span, number: number): number {
  const golden = (number * 0.618_033_988_749_895) % 1
  return Math.floor(fromMs + golden * (untilMs - SPACING_MS - fromMs))
}

const dateText = (atMs: number): string => new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')
