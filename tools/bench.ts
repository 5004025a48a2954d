import { parseArgs } from 'node:util'
import { BenchError } from './bench/bench-error.ts'
import { type Effort, efforts } from './bench/limits.ts'
import { loadTool } from './bench/load.ts'
import { describeMachine } from './bench/machine.ts'
import { measureOverload } from './bench/measure-overload.ts'
import { measurePostgres } from './bench/measure-postgres.ts'
import { measureProfile } from './bench/measure-profile.ts'
import { measureQueries } from './bench/measure-queries.ts'
import { measureRate } from './bench/measure-rate.ts'
import { measureStartup } from './bench/measure-startup.ts'
import { measureStored } from './bench/measure-stored.ts'
import { measureDeliveries, measureEndpoints, measureLag } from './bench/measure-webhooks.ts'
import { measureWidget } from './bench/measure-widget.ts'
import { printed, type Report } from './bench/report.ts'
import { cleanUpAtExit } from './bench/resources.ts'
import { sqliteStore, createPostgresStore } from './bench/store.ts'

// npm run bench: the speed of this build on this machine. The figures do not affect the exit status: it is 0 unless a
// measurement failed. Progress goes to stderr; tables go to stdout, with one JSON object as the last line.

const usage = `usage: npm run bench -- [--quick] [--only <part>] [--storage postgres] [--seconds <n>] [--profile]
  --quick    shorter rounds, and 100,000 stored payments instead of a million
  --only     one part: rate, against bare Fastify; postgres, against pgbench; startup, to the first payment;
             stored, payments and GETs beside many stored; queries, among as many; overload, above the capacity;
             deliveries, of webhooks, a second; lag, from a payment to its webhook; endpoints, of which one fails;
             widget, its size and its loading time on a phone
  --storage  postgres: against pgbench, and stored and queries on PostgreSQL
  --seconds  duration of the overload: 600 for a soak test
  --profile  instead: processor time of a payment, by function and area
`

const parts = [
  'rate',
  'postgres',
  'startup',
  'stored',
  'queries',
  'overload',
  'deliveries',
  'lag',
  'endpoints',
  'widget',
] as const

/** Parts that can be measured on PostgreSQL. */
const partsOfPostgres: readonly string[] = ['postgres', 'stored', 'queries']

try {
  await bench()
} catch (error) {
  process.stderr.write(`bench: ${explain(error)}\n`)
  // Setting the exit status is not enough: running servers would keep this process alive.
  process.exit(1)
}

function explain(error: unknown): string {
  if (error instanceof BenchError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

async function bench(): Promise<void> {
  const { quick, profile, storage, seconds, wanted } = options()
  const effort = withSeconds(quick ? efforts.quick : efforts.full, seconds)
  cleanUpAtExit(effort.deadlineMs)
  const tool = loadTool()
  const print = (line: string) => void process.stderr.write(`${line}\n`)

  const machine = describeMachine(tool.name)
  const store = storage === 'postgres' ? await createPostgresStore() : sqliteStore
  const report: Report = profile
    ? { machine, quick, storage: store.name, profile: await measureProfile(tool, effort, print) }
    : {
        machine,
        quick,
        storage: store.name,
        ...(wanted('rate') && { rate: await measureRate(tool, effort, print) }),
        ...(wanted('postgres') && { postgres: await measurePostgres(tool, effort, print) }),
        ...(wanted('startup') && { startup: await measureStartup(effort, print) }),
        ...(wanted('stored') && { stored: await measureStored(tool, store, effort, print) }),
        ...(wanted('queries') && { queries: await measureQueries(store, effort, print) }),
        ...(wanted('overload') && { overload: await measureOverload(tool, effort, print) }),
        ...(wanted('deliveries') && { deliveries: await measureDeliveries(effort, print) }),
        ...(wanted('lag') && { lag: await measureLag(effort, print) }),
        ...(wanted('endpoints') && { endpoints: await measureEndpoints(effort, print) }),
        ...(wanted('widget') && { widget: await measureWidget(effort, print) }),
      }
  await store.close()
  process.stdout.write(`\n${printed(report)}\n${JSON.stringify(report)}\n`)
}

function withSeconds(effort: Effort, seconds: number | undefined): Effort {
  if (seconds === undefined) return effort
  return { ...effort, overloadSeconds: seconds, deadlineMs: effort.deadlineMs + seconds * 1000 }
}

function options() {
  const { quick, profile, only, storage, seconds } = argumentsOrUsage()
  if (only !== undefined && !parts.some((part) => part === only))
    throw new BenchError(`no such part: ${only}\n${usage}`)
  if (storage !== undefined && storage !== 'postgres') throw new BenchError(`no such storage: ${storage}\n${usage}`)
  if (storage && (profile || (only !== undefined && !partsOfPostgres.includes(only))))
    throw new BenchError(`on ${storage} only these parts: ${partsOfPostgres.join(', ')}\n${usage}`)
  if (seconds !== undefined && !/^[1-9]\d{0,4}$/.test(seconds))
    throw new BenchError(`--seconds takes a whole number\n${usage}`)
  return {
    quick,
    profile,
    storage,
    seconds: seconds === undefined ? undefined : Number(seconds),
    wanted: (part: (typeof parts)[number]) =>
      only === undefined ? !storage || partsOfPostgres.includes(part) : only === part,
  }
}

function argumentsOrUsage() {
  try {
    const { values } = parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        profile: { type: 'boolean', default: false },
        only: { type: 'string' },
        storage: { type: 'string' },
        seconds: { type: 'string' },
      },
    })
    return values
  } catch (error) {
    throw new BenchError(`${error instanceof Error ? error.message : String(error)}\n${usage}`)
  }
}
