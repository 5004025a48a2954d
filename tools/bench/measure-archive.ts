import { openPostgresArchive } from '@tollgate/storage'
import { runSql } from '@tollgate/storage/testing'
import { BenchError } from './bench-error.ts'
import { type Effort, limits } from './limits.ts'
import type { OpenLoopFigures } from './open-loop-load.ts'
import { sendFromProcess } from './send-from-process.ts'
import { serveGateway } from './server-process.ts'
import { type Spread, spread } from './statistics.ts'
import type { PreparedRequest } from './workload.ts'

/** Payments at a fixed rate while partitions change. */
export interface ArchiveReport {
  readonly perSecond: number
  readonly changes: readonly ChangeFigures[]
}

/** A change of partitions: p99 of payments meanwhile ÷ p99 of payments before, of each round. */
export interface ChangeFigures {
  readonly name: string
  readonly quietP99Ms: number
  readonly p99Ms: number
  readonly ratio: Spread
  /** Payments of all rounds that were not answered with 200. */
  readonly failures: number
}

/**
 * Measures the latency of payments while the partitions of months are made, and while months are archived except a few
 * trees, as `tollgate archive` does.
 *
 * @param data the folder of the gateway
 * @param url the address of its PostgreSQL database
 * @param perSecond the rate of payments
 */
export async function measureArchive(
  {
    data,
    url,
    requests,
    perSecond,
  }: Readonly<Record<'data' | 'url', string>> & {
    readonly requests: readonly PreparedRequest[]
    readonly perSecond: number
  },
  effort: Effort,
  print: (line: string) => void,
): Promise<ArchiveReport> {
  const gateway = await serveGateway(data, [], { TOLLGATE_DATABASE_URL: url })
  const send = (seconds: number) =>
    sendFromProcess({
      url: gateway.url,
      requests,
      perSecond,
      connections: limits.overloadConnections,
      seconds,
    })
  await send(effort.warmUpSeconds)

  async function compare(name: string, change: () => Promise<void>, roundsMax: number): Promise<ChangeFigures> {
    const rounds: { readonly quiet: OpenLoopFigures; readonly changed: OpenLoopFigures }[] = []
    for (let round = 0; round < roundsMax; round += 1) {
      const quiet = await send(limits.changeSeconds)
      const [changed] = await Promise.all([send(limits.changeSeconds), change()])
      rounds.push({ quiet, changed })
      print(`vast: ${name}: p99 ${changed.accepted.p99Ms} ms, without ${quiet.accepted.p99Ms} ms`)
    }
    const quietP99 = spread(rounds.map(({ quiet }) => p99Of(quiet)))
    const changedP99 = spread(rounds.map(({ changed }) => p99Of(changed)))
    return {
      name,
      quietP99Ms: quietP99.median,
      p99Ms: changedP99.median,
      ratio: spread(rounds.map(({ quiet, changed }) => p99Of(changed) / p99Of(quiet))),
      failures: rounds.reduce((sum, { changed: { failures, refused } }) => sum + failures + refused.count, 0),
    }
  }

  let month = new Date()
  async function makeMonth(): Promise<void> {
    month = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1))
    await runSql(url, `SELECT make_transaction_months(${month.getTime()})`)
  }

  async function archiveMonth(): Promise<void> {
    const archive = await openPostgresArchive(url)
    try {
      const oldest = await archive.oldest(Date.now())
      if (!oldest) throw new BenchError('a month that ended is not archived')
      const staying: string[] = []
      for await (const { root_id: root } of archive.rowsOf(oldest)) {
        if (staying.length < limits.changeTreesThatStay) staying.push(root)
      }
      await archive.archive(oldest, staying)
    } finally {
      await archive.close()
    }
  }

  const { changeRounds } = limits
  const months = Math.min(changeRounds, await endedMonths(url))
  const changes = [await compare('months made', makeMonth, changeRounds)]
  if (months > 0) changes.push(await compare('months archived', archiveMonth, months))
  await gateway.stop()
  return { perSecond, changes }
}

const p99Of = ({ accepted }: OpenLoopFigures): number => accepted.p99Ms ?? Number.NaN

/** The number of months before the current one that have a partition. */
async function endedMonths(url: string): Promise<number> {
  const [row] = await runSql<{ months: number }>(
    url,
    `SELECT count(*)::int AS months FROM pg_inherits WHERE inhparent = 'payment_transaction'::regclass
      AND inhrelid::regclass::text < to_char(now(), '"payment_transaction_"YYYY_MM')
      AND inhrelid::regclass::text ~ '_\\d{4}_\\d{2}$'`,
  )
  return row?.months ?? 0
}
