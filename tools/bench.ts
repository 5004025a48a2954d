import { parseArgs } from 'node:util'
import { BenchError } from './bench/bench-error.ts'
import { efforts } from './bench/limits.ts'
import { loadTool } from './bench/load.ts'
import { describeMachine } from './bench/machine.ts'
import { measureProfile } from './bench/measure-profile.ts'
import { measureRate } from './bench/measure-rate.ts'
import { measureStartup } from './bench/measure-startup.ts'
import { measureStored } from './bench/measure-stored.ts'
import { printed, type Report } from './bench/report.ts'
import { cleanUpAtExit } from './bench/resources.ts'

// npm run bench: how fast this build is on this machine. It measures and judges nothing: the exit status is 0 unless
// something broke. Progress goes to stderr; stdout gets the tables, and as its last line one JSON object.

const usage = `usage: npm run bench -- [--quick] [--only rate|startup|stored] [--profile]
  --quick    shorter rounds, and 100,000 stored payments instead of a million
  --only     one part: against bare Fastify, from start to first payment, or with many stored payments
  --profile  instead: what a payment costs, by function and area
`

const parts = ['rate', 'startup', 'stored'] as const

try {
  await bench()
} catch (error) {
  process.stderr.write(`bench: ${explain(error)}\n`)
  // Not just the status: servers that still run would keep this process alive.
  process.exit(1)
}

function explain(error: unknown): string {
  if (error instanceof BenchError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

async function bench(): Promise<void> {
  const { quick, profile, wanted } = options()
  const effort = quick ? efforts.quick : efforts.full
  cleanUpAtExit(effort.deadlineMs)
  const tool = loadTool()
  const tell = (line: string) => void process.stderr.write(`${line}\n`)

  const machine = describeMachine(tool.name)
  const report: Report = profile
    ? { machine, quick, profile: await measureProfile(tool, effort, tell) }
    : {
        machine,
        quick,
        ...(wanted('rate') && { rate: await measureRate(tool, effort, tell) }),
        ...(wanted('startup') && { startup: await measureStartup(effort, tell) }),
        ...(wanted('stored') && { stored: await measureStored(tool, effort, tell) }),
      }
  process.stdout.write(`\n${printed(report)}\n${JSON.stringify(report)}\n`)
}

function options() {
  const { quick, profile, only } = argumentsOrUsage()
  if (only !== undefined && !parts.some((part) => part === only))
    throw new BenchError(`no such part: ${only}\n${usage}`)
  return { quick, profile, wanted: (part: (typeof parts)[number]) => only === undefined || only === part }
}

function argumentsOrUsage() {
  try {
    const { values } = parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        profile: { type: 'boolean', default: false },
        only: { type: 'string' },
      },
    })
    return values
  } catch (error) {
    throw new BenchError(`${error instanceof Error ? error.message : String(error)}\n${usage}`)
  }
}
