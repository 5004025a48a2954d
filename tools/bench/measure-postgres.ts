import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findPrograms, newDatabase, type PostgresServer, startPostgres } from '@tollgate/storage/testing'
import { BenchError } from './bench-error.ts'
import { type Load, load, type loadTool } from './load.ts'
import { type Effort, limits } from './limits.ts'
import { createMerchants } from './merchants.ts'
import { scratch } from './resources.ts'
import { serveGateway } from './served.ts'
import { median, type Spread, spread } from './statistics.ts'
import { prepare } from './workload.ts'

export interface PostgresReport {
  readonly payments: { readonly perSecond: number; readonly p50Ms: number; readonly p99Ms: number }
  /** Transactions a second of pgbench's own workload. */
  readonly pgbenchPerSecond: number
  /** Payments ÷ transactions of pgbench, of the same round. */
  readonly ratio: Spread
}

const run = promisify(execFile)

/**
 * Durable payments on PostgreSQL against pgbench on the same server, in turns. The server keeps its own settings: each
 * commit of either is on disk before it is answered.
 *
 * @returns undefined where there is no PostgreSQL
 */
export async function measurePostgres(
  tool: ReturnType<typeof loadTool>,
  effort: Effort,
  tell: (line: string) => void,
): Promise<PostgresReport | undefined> {
  const programs = findPrograms(process.env.PATH ?? '')
  if (programs === undefined) {
    tell('postgres: there is none on this machine')
    return undefined
  }
  const server = await startPostgres(programs, ['max_connections=200'])
  try {
    return await measure(server, programs, { tool, effort, tell })
  } finally {
    await server.remove()
  }
}

interface Round {
  readonly payments: Load
  readonly transactions: number
}

interface Means {
  readonly tool: ReturnType<typeof loadTool>
  readonly effort: Effort
  readonly tell: (line: string) => void
}

async function measure(
  server: PostgresServer,
  programs: string,
  { tool, effort, tell }: Means,
): Promise<PostgresReport> {
  const pgbench = async (...options: string[]) => {
    const { stdout } = await run(join(programs, 'pgbench'), [...options, yardstick], { maxBuffer: limits.pgbenchBytes })
    return stdout
  }
  const yardstick = await newDatabase(server.url)
  tell('postgres: pgbench fills its tables')
  await pgbench('-i', '-q', '-s', String(limits.pgbenchScale))
  const gateway = await serveGateway(scratch('postgres'), [], { TOLLGATE_DATABASE_URL: await newDatabase(server.url) })
  const { payers } = await createMerchants(gateway.manageUrl)
  const requests = prepare(payers)
  const ofGateway = (seconds: number) =>
    load(tool, { url: gateway.url, requests, connections: limits.connectionsFull, seconds })
  const ofPgbench = async (seconds: number) => {
    const clients = ['-c', String(limits.connectionsFull), '-j', '2']
    const said = await pgbench('-n', '-M', 'prepared', ...clients, '-T', String(seconds))
    const [, perSecond] = /^tps = ([\d.]+)/m.exec(said) ?? []
    if (perSecond === undefined) throw new BenchError('pgbench does not say how many transactions it made')
    return Number(perSecond)
  }

  await ofGateway(effort.warmUpSeconds)
  await ofPgbench(effort.warmUpSeconds)
  const rounds: Round[] = []
  for (let round = 0; round < effort.rounds; round += 1) {
    const seconds = effort.roundSeconds
    const both =
      round % 2 === 0
        ? { payments: await ofGateway(seconds), transactions: await ofPgbench(seconds) }
        : { transactions: await ofPgbench(seconds), payments: await ofGateway(seconds) }
    rounds.push(both)
    const { payments, transactions } = both
    tell(
      `postgres: round ${round + 1} of ${effort.rounds}: ` +
        `${Math.round(payments.perSecond)} payments/s, pgbench ${Math.round(transactions)}/s`,
    )
  }
  await gateway.stop()
  const of = (pick: (one: Round) => number) => rounds.map(pick)
  return {
    payments: {
      perSecond: median(of(({ payments }) => payments.perSecond)),
      p50Ms: median(of(({ payments }) => payments.p50Ms)),
      p99Ms: median(of(({ payments }) => payments.p99Ms)),
    },
    pgbenchPerSecond: median(of(({ transactions }) => transactions)),
    ratio: spread(of(({ payments, transactions }) => payments.perSecond / transactions)),
  }
}
