import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { runSql, sqliteTableBytes } from '@tollgate/storage/testing'
import { BenchError } from './bench-error.ts'
import { scratch } from './clean-up.ts'
import { type Effort, limits } from './limits.ts'
import { createMerchants, pay } from './merchants.ts'
import { serveGateway } from './server-process.ts'
import { createPostgresStore, type Store, sqliteStore } from './store.ts'
import type { MerchantAccess } from './workload.ts'

/** The growth of a storage by varied payments. */
export interface BytesReport {
  readonly storage: string
  readonly payments: number
  readonly bytesPerPayment: number
  /** The growth of each table with its indexes for a payment, the largest first. */
  readonly tables: readonly TableGrowth[]
  /** Bytes of the write-ahead log for a payment; null for SQLite, whose log is empty after a checkpoint. */
  readonly logBytesPerPayment: number | null
}

interface TableGrowth {
  readonly name: string
  readonly bytesPerPayment: number
}

/** The sizes of a storage without a running gateway. */
interface Sizes {
  readonly bytes: number
  /** By table, with the indexes of the table. */
  readonly tables: ReadonlyMap<string, number>
  readonly logBytes: number | null
}

/**
 * Measures the bytes of a stored payment in each storage: the size after varied payments minus the size with the
 * merchants alone, each after the gateway has stopped. PostgreSQL is left out if it is not installed.
 */
export async function measureBytes(effort: Effort, print: (line: string) => void): Promise<readonly BytesReport[]> {
  const reports = [await measureStore(sqliteStore, effort.bytesPayments)]
  const postgres = await createPostgresStore()
  if (postgres) {
    reports.push(await measureStore(postgres, effort.bytesPayments))
    await postgres.close()
  } else print('bytes: PostgreSQL left out, because it is not installed')
  for (const { storage, bytesPerPayment } of reports)
    print(`bytes: ${Math.round(bytesPerPayment)} a stored payment on ${storage}`)
  return reports
}

async function measureStore(store: Store, payments: number): Promise<BytesReport> {
  const data = scratch(`bytes-${store.name}`)
  const settings = await store.create()
  const database = settings.TOLLGATE_DATABASE_URL
  const readSizes = () => sizesOf(data, database)

  const first = await serveGateway(data, [], settings)
  const { merchants } = await createMerchants(first.manageUrl)
  await first.stop()
  const before = await readSizes()
  const gateway = await serveGateway(data, [], settings)
  await payAll(gateway.url, merchants, payments)
  await gateway.stop()
  const after = await readSizes()

  const tables = [...after.tables].map(([name, bytes]) => ({
    name,
    bytesPerPayment: (bytes - (before.tables.get(name) ?? 0)) / payments,
  }))
  return {
    storage: store.name,
    payments,
    bytesPerPayment: (after.bytes - before.bytes) / payments,
    tables: tables.toSorted((a, b) => b.bytesPerPayment - a.bytesPerPayment),
    logBytesPerPayment:
      after.logBytes === null || before.logBytes === null ? null : (after.logBytes - before.logBytes) / payments,
  }
}

/**
 * The sizes of a storage without a running gateway.
 * @param data the folder of the gateway
 * @param database the address of its PostgreSQL database; undefined: SQLite
 */
export const sizesOf = async (data: string, database: string | undefined): Promise<Sizes> =>
  database === undefined ? sizesOfFile(join(data, 'tollgate.db')) : sizesOfDatabase(database)

/** Makes the payments with the numbers from 0 to below `count`. */
async function payAll(url: string, merchants: readonly MerchantAccess[], count: number): Promise<void> {
  let number = 0
  const payNext = async () => {
    while (number < count) {
      const merchant = merchants[number % merchants.length]
      if (!merchant) throw new BenchError('the workload has no merchants')
      number += 1
      await pay(url, merchant, number - 1)
    }
  }
  await Promise.all(Array.from({ length: limits.connectionsFull }, payNext))
}

/** @throws BenchError if the write-ahead log is not empty: a gateway that stops makes a checkpoint */
function sizesOfFile(file: string): Sizes {
  const log = `${file}-wal`
  if (existsSync(log) && statSync(log).size > 0) throw new BenchError('the stopped gateway left a write-ahead log')
  return { bytes: statSync(file).size, tables: sqliteTableBytes(file), logBytes: null }
}

async function sizesOfDatabase(url: string): Promise<Sizes> {
  const tables = await runSql<{ name: string; bytes: number }>(
    url,
    `SELECT coalesce(inhparent::regclass::text, relname) AS name, sum(pg_total_relation_size(oid))::float8 AS bytes
      FROM pg_class LEFT JOIN pg_inherits ON inhrelid = oid
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace GROUP BY 1`,
  )
  const [log] = await runSql<{ bytes: number }>(url, `SELECT (pg_current_wal_lsn() - '0/0')::float8 AS bytes`)
  return {
    bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0),
    tables: new Map(tables.map(({ name, bytes }) => [name, bytes])),
    logBytes: log?.bytes ?? null,
  }
}
