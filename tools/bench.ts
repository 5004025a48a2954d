import { parseArgs } from 'node:util'
import { BenchError } from './bench/bench-error.ts'
import { type Effort, efforts, limits } from './bench/limits.ts'
import { findLoadTool } from './bench/load.ts'
import { describeMachine } from './bench/machine.ts'
import { measureAcquirers } from './bench/measure-acquirers.ts'
import { measureAgainst } from './bench/measure-against.ts'
import { measureBytes } from './bench/measure-bytes.ts'
import { measureLong } from './bench/measure-long.ts'
import { measureMoney } from './bench/measure-money.ts'
import { measureOverload } from './bench/measure-overload.ts'
import { measurePostgres } from './bench/measure-postgres.ts'
import { measureProfile } from './bench/measure-profile.ts'
import { measureQueries } from './bench/measure-queries.ts'
import { measureRate } from './bench/measure-rate.ts'
import { measureStartup } from './bench/measure-startup.ts'
import { measureVast } from './bench/measure-vast.ts'
import { measureStored } from './bench/measure-stored.ts'
import { measureDeliveries, measureEndpoints, measureLag } from './bench/measure-webhooks.ts'
import { measureWidget } from './bench/measure-widget.ts'
import { formatReport, type Report } from './bench/report.ts'
import { cleanUpAtExit } from './bench/clean-up.ts'
import { sqliteStore, createPostgresStore } from './bench/store.ts'

// npm run bench: the speed of this build on this machine. The figures do not affect the exit status: it is 0 unless an
// option is wrong or a measurement fails. Progress goes to stderr; tables go to stdout, and one JSON object as the last
// line.

const usage = `usage: npm run bench -- [--quick] [--only <part>] [--storage <name>] [--against <dir>] [--seconds <n>]
                        [--profile]
  --quick    shorter rounds, fewer of them, and fewer stored payments
  --only     measures one part:
               rate        payments per second and their processor time, compared with bare Fastify
               bytes       bytes a stored payment, on SQLite and PostgreSQL
               postgres    payments per second on PostgreSQL, compared with pgbench
               startup     time from the start to the first payment
               stored      payments and GETs among few and among many stored payments
               vast        payments and GETs among 20 million stored payments on PostgreSQL, also while partitions
                           are made and archived, or on SQLite with --storage sqlite: up to 30 GB, so it is
                           measured only if it is named
               long        20 minutes of mixed traffic with webhooks on SQLite, or on PostgreSQL with
                           --storage postgres; measured only if it is named
               money       a year of a merchant, a million payments on SQLite and PostgreSQL: posting, ledger,
                           settlement files, reconciliation file and statements, also beside payments; with
                           --storage on one of them; measured only if it is named
               queries     queries among many stored payments
               acquirers   payments to an acquirer's host, also while it answers late
               overload    payments above the capacity
               deliveries  webhook deliveries per second
               lag         time from a payment to its webhook
               endpoints   lag of endpoints while another endpoint fails
               widget      size, and loading time on a phone
  --storage  postgres: measures the parts postgres, stored, vast, long, money and queries, or --against, on PostgreSQL;
             sqlite: measures parts on SQLite, as is usual for all but vast
  --against  the directory of another built checkout: with --only rate, compares this build with that build instead of
             bare Fastify
  --seconds  duration of the overload: 600 for a soak test
  --profile  measures only the processor time of a payment, by thread, function and area
`

const parts = [
  'rate',
  'bytes',
  'postgres',
  'startup',
  'stored',
  'vast',
  'long',
  'money',
  'queries',
  'acquirers',
  'overload',
  'deliveries',
  'lag',
  'endpoints',
  'widget',
] as const

/** Parts that are measured only if they are named. */
const namedParts: ReadonlySet<string> = new Set(['vast', 'long', 'money'])

/** Parts that can be measured on PostgreSQL. */
const postgresParts: readonly string[] = ['postgres', 'stored', 'vast', 'long', 'money', 'queries']

try {
  await bench()
} catch (error) {
  process.stderr.write(`bench: ${explain(error)}\n`)
  // The process is ended explicitly, because running servers would keep it alive.
  process.exit(1)
}

function explain(error: unknown): string {
  if (error instanceof BenchError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

async function bench(): Promise<void> {
  const { quick, profile, isNamed, isOnPostgres, against, seconds, isWanted } = readOptions()
  const effort = withSeconds(quick ? efforts.quick : efforts.full, seconds)
  const additional = [
    ['vast', limits.vastMs],
    ['long', limits.longMs],
    ['money', limits.moneyMs],
  ] as const
  cleanUpAtExit(additional.reduce((sum, [part, ms]) => sum + (isWanted(part) ? ms : 0), effort.deadlineMs))
  const tool = findLoadTool()
  const print = (line: string) => void process.stderr.write(`${line}\n`)

  const machine = describeMachine(tool.name)
  const store = isOnPostgres ? await createPostgresStore() : sqliteStore
  if (!store) throw new BenchError('PostgreSQL is not installed: install it, or measure with SQLite')
  const report: Report = profile
    ? { machine, quick, storage: store.name, profile: await measureProfile(tool, effort, print) }
    : {
        machine,
        quick,
        storage: store.name,
        ...(against !== undefined && { against: await measureAgainst(against, tool, store, effort, print) }),
        ...(against === undefined && isWanted('rate') && { rate: await measureRate(tool, effort, print) }),
        ...(isWanted('bytes') && { bytes: await measureBytes(effort, print) }),
        ...(isWanted('postgres') && { postgres: await measurePostgres(tool, effort, print) }),
        ...(isWanted('startup') && { startup: await measureStartup(effort, print) }),
        ...(isWanted('stored') && { stored: await measureStored(tool, store, effort, print) }),
        ...(isWanted('vast') && { vast: await measureVast(tool, store, effort, print) }),
        ...(isWanted('long') && { long: await measureLong(store, effort, print) }),
        ...(isWanted('money') && { money: await measureMoney(isNamed ? store : undefined, tool, effort, print) }),
        ...(isWanted('queries') && { queries: await measureQueries(store, effort, print) }),
        ...(isWanted('acquirers') && { acquirers: await measureAcquirers(tool, effort, print) }),
        ...(isWanted('overload') && { overload: await measureOverload(tool, effort, print) }),
        ...(isWanted('deliveries') && { deliveries: await measureDeliveries(effort, print) }),
        ...(isWanted('lag') && { lag: await measureLag(effort, print) }),
        ...(isWanted('endpoints') && { endpoints: await measureEndpoints(effort, print) }),
        ...(isWanted('widget') && { widget: await measureWidget(effort, print) }),
      }
  await store.close()
  process.stdout.write(`\n${formatReport(report)}\n${JSON.stringify(report)}\n`)
}

function withSeconds(effort: Effort, seconds: number | undefined): Effort {
  if (seconds === undefined) return effort
  return { ...effort, overloadSeconds: seconds, deadlineMs: effort.deadlineMs + seconds * 1000 }
}

function readOptions() {
  const { quick, profile, only, storage: named, against, seconds } = parseArguments()
  if (only !== undefined && !parts.some((part) => part === only))
    throw new BenchError(`unknown part: ${only}\n${usage}`)
  if (named !== undefined && named !== 'postgres' && named !== 'sqlite')
    throw new BenchError(`unknown storage: ${named}\n${usage}`)
  const isOnPostgres = named === undefined ? only === 'vast' : named === 'postgres'
  if (against !== undefined && (profile || only !== 'rate'))
    throw new BenchError(`--against requires --only rate\n${usage}`)
  if (isOnPostgres && against === undefined && (profile || (only !== undefined && !postgresParts.includes(only))))
    throw new BenchError(`--storage postgres permits only the parts ${postgresParts.join(', ')}\n${usage}`)
  if (seconds !== undefined && !/^[1-9]\d{0,4}$/.test(seconds))
    throw new BenchError(`--seconds must be a whole number from 1 to 99999\n${usage}`)
  return {
    quick,
    profile,
    isNamed: named !== undefined,
    isOnPostgres,
    against,
    seconds: seconds === undefined ? undefined : Number(seconds),
    isWanted: (part: (typeof parts)[number]) =>
      only === undefined ? !namedParts.has(part) && (!isOnPostgres || postgresParts.includes(part)) : only === part,
  }
}

function parseArguments() {
  try {
    const { values } = parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        profile: { type: 'boolean', default: false },
        only: { type: 'string' },
        storage: { type: 'string' },
        against: { type: 'string' },
        seconds: { type: 'string' },
      },
    })
    return values
  } catch (error) {
    throw new BenchError(`${error instanceof Error ? error.message : String(error)}\n${usage}`)
  }
}
