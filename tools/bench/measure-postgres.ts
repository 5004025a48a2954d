import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { newDatabase, type PostgresServer } from '@tollgate/storage/testing'
import { BenchError } from './bench-error.ts'
import { type Load, load, type findLoadTool } from './load.ts'
import { type Effort, limits } from './limits.ts'
import { createMerchants } from './merchants.ts'
import { scratch } from './clean-up.ts'
import { type BenchGateway, serveGateway } from './server-process.ts'
import { startPostgresServer } from './store.ts'
import { median, type Spread, spread } from './statistics.ts'
import { prepareRequests } from './workload.ts'

export interface PostgresReport {
  /** Transactions per second of pgbench's own workload. */
  readonly pgbenchPerSecond: number
  /** One gateway, and two that share the database and the clients. */
  readonly gateways: readonly [one: GatewaysReport, two: GatewaysReport]
}

interface GatewaysReport {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Payments ÷ transactions of pgbench, of the same round. */
  readonly ratio: Spread
}

const run = promisify(execFile)

/**
 * Compares durable payments on PostgreSQL with pgbench on the same server, in turn. The server has its default
 * durability: every commit is on disk before it is answered.
 *
 * @returns undefined if PostgreSQL is not installed
 */
export async function measurePostgres(
  tool: ReturnType<typeof findLoadTool>,
  effort: Effort,
  print: (line: string) => void,
): Promise<PostgresReport | undefined> {
  const server = await startPostgresServer()
  if (!server) {
    print('postgres: left out, because PostgreSQL is not installed')
    return undefined
  }
  try {
    return await measure(server, server.programs, { tool, effort, print })
  } finally {
    await server.remove()
  }
}

interface Round {
  readonly one: Load
  readonly two: Load
  readonly transactionsPerSecond: number
}

interface Setup {
  readonly tool: ReturnType<typeof findLoadTool>
  readonly effort: Effort
  readonly print: (line: string) => void
}

async function measure(
  server: PostgresServer,
  programs: string,
  { tool, effort, print }: Setup,
): Promise<PostgresReport> {
  const pgbench = async (...options: string[]) => {
    const { stdout } = await run(join(programs, 'pgbench'), [...options, pgbenchDatabase], {
      maxBuffer: limits.pgbenchBytes,
    })
    return stdout
  }
  const pgbenchDatabase = await newDatabase(server.url)
  print('postgres: pgbench fills its tables')
  await pgbench('-i', '-q', '-s', String(limits.pgbenchScale))
  const settings = { TOLLGATE_DATABASE_URL: await newDatabase(server.url) }
  const first = await serveGateway(scratch('postgres-1'), [], settings)
  const { merchants } = await createMerchants(first.manageUrl)
  const firstKeys = { TOLLGATE_KEYS: scratch('postgres-1', 'keys.json') }
  const second = await serveGateway(scratch('postgres-2'), [], { ...settings, ...firstKeys })
  const requests = prepareRequests(merchants)
  const pay = (gateways: readonly BenchGateway[], seconds: number) => {
    const connections = limits.connectionsFull / gateways.length
    return Promise.all(gateways.map(({ url }) => load(tool, { url, requests, connections, seconds }))).then(sumOf)
  }
  const measures = {
    one: (seconds: number) => pay([first], seconds),
    two: (seconds: number) => pay([first, second], seconds),
    async transactionsPerSecond(seconds: number) {
      const clientOptions = ['-c', String(limits.connectionsFull), '-j', '2']
      const output = await pgbench('-n', '-M', 'prepared', ...clientOptions, '-T', String(seconds))
      const [, perSecond] = /^tps = ([\d.]+)/m.exec(output) ?? []
      if (perSecond === undefined) throw new BenchError('the output of pgbench has no rate (tps)')
      return Number(perSecond)
    },
  }

  for (const warmUp of Object.values(measures)) await warmUp(effort.warmUpSeconds)
  const rounds: Round[] = []
  for (let number = 0; number < effort.rounds; number += 1) {
    const seconds = effort.roundSeconds
    // pgbench is measured last and first in turn, so that no side profits from its place in the order.
    const pgbenchBefore = number % 2 === 0 ? undefined : await measures.transactionsPerSecond(seconds)
    const one = await measures.one(seconds)
    const two = await measures.two(seconds)
    const transactionsPerSecond = pgbenchBefore ?? (await measures.transactionsPerSecond(seconds))
    const round = { one, two, transactionsPerSecond }
    rounds.push(round)
    print(
      `postgres: round ${number + 1} of ${effort.rounds}: ${Math.round(one.perSecond)} payments/s by one gateway, ` +
        `${Math.round(two.perSecond)} by two, pgbench ${Math.round(round.transactionsPerSecond)}/s`,
    )
  }
  await Promise.all([first.stop(), second.stop()])
  return {
    pgbenchPerSecond: median(rounds.map(({ transactionsPerSecond }) => transactionsPerSecond)),
    gateways: [reportOf(rounds, 'one'), reportOf(rounds, 'two')],
  }
}

/** The sum of concurrent loads, with the greatest of their means, p50 and p99. */
const sumOf = (loads: readonly Load[]): Load => ({
  answers: loads.reduce((sum, { answers }) => sum + answers, 0),
  perSecond: loads.reduce((sum, { perSecond }) => sum + perSecond, 0),
  meanMs: Math.max(...loads.map(({ meanMs }) => meanMs)),
  p50Ms: Math.max(...loads.map(({ p50Ms }) => p50Ms)),
  p99Ms: Math.max(...loads.map(({ p99Ms }) => p99Ms)),
})

function reportOf(rounds: readonly Round[], gateways: 'one' | 'two'): GatewaysReport {
  const medianOf = (pick: (payments: Load) => number) => median(rounds.map((round) => pick(round[gateways])))
  return {
    perSecond: medianOf(({ perSecond }) => perSecond),
    p50Ms: medianOf(({ p50Ms }) => p50Ms),
    p99Ms: medianOf(({ p99Ms }) => p99Ms),
    ratio: spread(rounds.map((round) => round[gateways].perSecond / round.transactionsPerSecond)),
  }
}
