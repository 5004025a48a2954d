import { spawn } from 'node:child_process'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { runSql } from '@tollgate/storage/testing'
import { BenchError } from './bench-error.ts'
import { killAtExit, scratch } from './clean-up.ts'
import { openEndpoints } from './endpoints.ts'
import type { LatencyFigures } from './latencies.ts'
import { type Effort, limits } from './limits.ts'
import { createMerchants } from './merchants.ts'
import type { MixedFigures, MixedLoad } from './mixed-load.ts'
import { usageOf } from './process-usage.ts'
import { serveGateway } from './server-process.ts'
import { median } from './statistics.ts'
import type { Store } from './store.ts'
import { prepareRequests } from './workload.ts'

/** Mixed traffic over a long time, with a webhook for each stored transaction. */
export interface LongReport {
  /** Requests that were answered, and their webhooks delivered, per second of a short overload. */
  readonly capacityPerSecond: number
  readonly perSecond: number
  readonly minutes: readonly MinuteFigures[]
  readonly notSent: number
  readonly unanswered: number
  /** Deliveries that were missing at the end and arrived later. */
  readonly lateDeliveries: number
  /** Median p99 of the last quarter of the minutes ÷ that of the second quarter, after the warm-up of the first. */
  readonly p99Drift: number
  /** The same ratio of the resident memory of the gateway; NaN if it cannot be read. */
  readonly memoryDrift: number
  /** The same ratio of the bytes by which the storage grows for a stored transaction with its event. */
  readonly bytesDrift: number
}

/** One minute of the traffic, and the state of gateway and storage at its end. */
export interface MinuteFigures extends StorageFigures {
  readonly latencies: LatencyFigures
  readonly stored: number
  readonly failures: number
  readonly residentMb: number
  /** Stored transactions whose event has not yet arrived. */
  readonly undelivered: number
  /** Growth of the storage in this minute ÷ the transactions stored in it. */
  readonly bytesPerStored: number
}

interface StorageFigures {
  readonly bytes: number
  /** Size of the write-ahead log on SQLite; bytes written to it so far on PostgreSQL. */
  readonly logBytes: number
  /** Size of the indexes, runs of autovacuum, and checkpoints so far; null on SQLite, which has no such statistics. */
  readonly indexBytes: number | null
  readonly vacuums: number | null
  readonly checkpoints: number | null
}

/** Measures mixed traffic at two thirds of the rate that the gateway sustains with its webhooks. */
export async function measureLong(store: Store, effort: Effort, print: (line: string) => void): Promise<LongReport> {
  const data = scratch(`long-${store.name}`)
  const settings = await store.create()
  const gateway = await serveGateway(data, [], settings)
  const { merchants, division } = await createMerchants(gateway.manageUrl)
  const endpoints = await openEndpoints(gateway.manageUrl, division, 1)
  const delivered = async () => (await endpoints.figures())[0]?.count ?? 0
  const load = { url: gateway.url, requests: prepareRequests(merchants) }
  let storedCount = 0

  const overload = async (firstNumber: number) => {
    const startedMs = performance.now()
    let answers = 0
    await send(
      {
        ...load,
        firstNumber,
        perSecond: limits.longOverloadPerSecond,
        connections: limits.connectionsFull,
        seconds: effort.longWarmUpSeconds,
        intervalSeconds: effort.longWarmUpSeconds,
      },
      ({ stored, latencies }) => {
        storedCount += stored
        answers += latencies.count
      },
    )
    await endpoints.untilDelivered(storedCount)
    return (answers * 1000) / (performance.now() - startedMs)
  }
  await overload(0)
  const capacityPerSecond = Math.round(await overload(limits.longNumbers))
  const perSecond = Math.round(capacityPerSecond * limits.longShare)
  print(`long: ${perSecond}/s for ${effort.longMinutes} minutes, with a capacity of ${capacityPerSecond}/s`)

  const url = settings.TOLLGATE_DATABASE_URL
  const readStorage = () => (url === undefined ? figuresOfFile(join(data, 'tollgate.db')) : figuresOfDatabase(url))
  const minutes: MinuteFigures[] = []
  let previous = await readStorage()
  const addMinute = async ({ latencies, stored, failures }: MixedFigures) => {
    storedCount += stored
    const expected = storedCount
    if (minutes.length === effort.longMinutes) return
    const storage = await readStorage()
    const minute = {
      latencies,
      stored,
      failures,
      residentMb: Math.round((usageOf(gateway.pid)?.residentBytes ?? Number.NaN) / 1e6),
      undelivered: Math.max(0, expected - (await delivered())),
      bytesPerStored: (storage.bytes - previous.bytes) / stored,
      ...storage,
    }
    previous = storage
    minutes.push(minute)
    print(
      `long: minute ${minutes.length}: ${stored} stored, p99 ${latencies.p99Ms} ms, ${minute.residentMb} MB, ` +
        `${Math.round(minute.bytesPerStored)} bytes each, ${minute.undelivered} undelivered, ${failures} failures`,
    )
  }
  const { notSent, unanswered } = await send(
    {
      ...load,
      firstNumber: 2 * limits.longNumbers,
      perSecond,
      connections: limits.overloadConnections,
      seconds: effort.longMinutes * 60,
      intervalSeconds: 60,
    },
    addMinute,
  )
  const lateDeliveries = Math.max(0, storedCount - (await delivered()))
  await endpoints.untilDelivered(storedCount)
  await gateway.stop()
  await endpoints.stop()
  return {
    capacityPerSecond,
    perSecond,
    minutes,
    notSent,
    unanswered,
    lateDeliveries,
    p99Drift: drift(minutes.map(({ latencies }) => latencies.p99Ms ?? Number.NaN)),
    memoryDrift: drift(minutes.map(({ residentMb }) => residentMb)),
    bytesDrift: drift(minutes.map(({ bytesPerStored }) => bytesPerStored)),
  }
}

/** The median of the last quarter of some figures ÷ that of the second quarter. */
function drift(figures: readonly number[]): number {
  const quarter = Math.max(1, Math.floor(figures.length / 4))
  return median(figures.slice(-quarter)) / median(figures.slice(quarter, 2 * quarter))
}

const senderMain = fileURLToPath(new URL('send-mixed.js', import.meta.url))
let loadCount = 0

/** Sends a load from a process of its own, because the load generator must not slow down the readings. */
async function send(
  load: MixedLoad,
  onInterval: (figures: MixedFigures) => void | Promise<void>,
): Promise<{ readonly notSent: number; readonly unanswered: number }> {
  loadCount += 1
  const file = scratch(`mixed-load-${loadCount}.json`)
  writeFileSync(file, JSON.stringify(load))
  const child = spawn(process.execPath, [senderMain, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  killAtExit(child)
  for await (const line of createInterface({ input: child.stdout })) {
    const figures: MixedFigures | { notSent: number; unanswered: number } = JSON.parse(line)
    if ('notSent' in figures) return figures
    await onInterval(figures)
  }
  throw new BenchError('the sender of the mixed load ended without figures')
}

async function figuresOfFile(file: string): Promise<StorageFigures> {
  const log = `${file}-wal`
  return {
    bytes: statSync(file).size,
    logBytes: existsSync(log) ? statSync(log).size : 0,
    indexBytes: null,
    vacuums: null,
    checkpoints: null,
  }
}

async function figuresOfDatabase(url: string): Promise<StorageFigures> {
  const [figures] = await runSql<StorageFigures>(
    url,
    `SELECT pg_database_size(current_database())::float8 AS bytes,
      (pg_current_wal_lsn() - '0/0')::float8 AS "logBytes",
      (SELECT sum(pg_indexes_size(oid))::float8 FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace) AS "indexBytes",
      (SELECT sum(autovacuum_count)::float8 FROM pg_stat_user_tables) AS vacuums,
      (SELECT (checkpoints_timed + checkpoints_req)::float8 FROM pg_stat_bgwriter) AS checkpoints`,
  )
  if (!figures) throw new BenchError('PostgreSQL has no statistics')
  return figures
}
