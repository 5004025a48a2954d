import { DAY_MS, decodeForm } from '@tollgate/contract'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextRun, type Plan, readPlan } from './plan.ts'
import { type CatchUp, runsDue } from './runs-due.ts'

const ms = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`)
const textOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')

function planOf(expression: string, madeAtMs: number, timeZone = 'UTC'): Plan {
  const form = decodeForm(new TextEncoder().encode(`job.expression=${encodeURIComponent(expression)}`))
  const plan = readPlan(form, { timeZone, madeAtMs })
  if (plan.kind === 'refused') throw new Error(plan.reason)
  return plan
}

describe('the due runs of a monthly plan contain', () => {
  const plan = planOf('0 0 12 L * ?', ms('2024-12-05 00:00:00'))
  /** The runs to make, followed by the last run that is made or skipped. */
  const due = (last: string | undefined, now: string, catchUp?: CatchUp) => {
    const { runs, lastRunAtMs } = runsDue(plan, last === undefined ? undefined : ms(last), ms(now), catchUp)
    return [...runs, lastRunAtMs].map((atMs) => (atMs === undefined ? 'none' : textOf(atMs)))
  }
  const [dec, jan, feb] = ['2024-12-31 12:00:00', '2025-01-31 12:00:00', '2025-02-28 12:00:00']

  test.each<[name: string, last: string | undefined, now: string, catchUp: CatchUp, expected: readonly string[]]>([
    ['no run before the first', undefined, '2024-12-31 11:59:59', 'ALL', ['none']],
    ['the first run at the second when it is due, even with NONE', undefined, dec, 'NONE', [dec, dec]],
    ['a run that is a minute late, even with NONE', undefined, '2024-12-31 12:01:00', 'NONE', [dec, dec]],
    ['no run that is a minute and a second late, with NONE', undefined, '2024-12-31 12:01:01', 'NONE', [dec]],
    ['a run that is a minute and a second late, with ONCE', undefined, '2024-12-31 12:01:01', 'ONCE', [dec, dec]],
    ['no run twice', dec, '2024-12-31 12:01:01', 'ALL', [dec]],
    ['the newest of two missed runs', dec, '2025-03-15 00:00:00', 'ONCE', [feb, feb]],
    ['both of two missed runs', dec, '2025-03-15 00:00:00', 'ALL', [jan, feb, feb]],
    ['neither of two missed runs', dec, '2025-03-15 00:00:00', 'NONE', [feb]],
    ['a missed run and a run on time', dec, '2025-02-28 12:00:30', 'ONCE', [jan, feb, feb]],
    ['the run on time, without the missed run', dec, '2025-02-28 12:00:30', 'NONE', [feb, feb]],
    ['no run while the clock is set back', feb, '2025-01-31 12:00:00', 'ALL', [feb]],
  ])('%s', (_name, last, now, catchUp, expected) => {
    expect(due(last, now, catchUp)).toEqual(expected)
  })

  test('one run for all missed runs by default', () => {
    expect(due(dec, '2025-03-15 00:00:00')).toEqual([feb, feb])
  })

  test('at most the newest twelve missed runs with ALL', () => {
    const runs = due(dec, '2027-03-15 00:00:00', 'ALL').slice(0, -1)
    expect([runs.length, runs[0], runs.at(-1)]).toEqual([12, '2026-03-31 12:00:00', '2027-02-28 12:00:00'])
  })
})

test('a plan of every second resumes after years with twelve missed runs and the runs of the last minute', () => {
  const plan = planOf('* * * * * ?', ms('2024-01-01 00:00:00'), 'Europe/Berlin')
  const { runs, lastRunAtMs } = runsDue(plan, ms('2024-01-01 00:00:00'), ms('2030-01-01 00:00:00'), 'ALL')
  expect([runs.length, lastRunAtMs]).toEqual([12 + 61, ms('2030-01-01 00:00:00')])
  expect(runs).toEqual(Array.from({ length: 73 }, (_, index) => ms('2030-01-01 00:00:00') - (72 - index) * 1000))
})

test('an ended plan makes up only for runs that were due before its end', () => {
  const plan = { ...planOf('0 0 12 * * ?', ms('2024-01-01 00:00:00')), endsAtMs: ms('2024-01-02 12:00:00') }
  const { runs } = runsDue(plan, undefined, ms('2024-02-01 00:00:00'), 'ALL')
  expect(runs.map(textOf)).toEqual(['2024-01-01 12:00:00'])
})

describe('during a hundred years with random outages', () => {
  const [from, until] = [Date.UTC(1999, 0), Date.UTC(2099, 0)]
  // Half of the outages end at the next run, half after 1 to 300 days, so that fewer than twelve runs are missed.
  const outage = fc.oneof(fc.constant('until the next run'), fc.integer({ min: DAY_MS, max: 300 * DAY_MS }))
  /** The number of due runs that are made and stored before the process is killed; with 99, it is not killed. */
  const runsUntilKill = fc.oneof(fc.constant(99), fc.integer({ min: 0, max: 3 }))
  const outages = fc.array(fc.record({ outage, runsUntilKill }), { minLength: 100, maxLength: 100 })

  test.each([
    ['0 0 0 L * ?', 'UTC', (month: number) => Date.UTC(1999, month + 1, 0)],
    ['0 30 9 1 * ?', 'Asia/Tokyo', (month: number) => Date.UTC(1999, month, 1, 0, 30)],
  ] as const)('each monthly run of %s in %s is made once', (expression, timeZone, runOf) => {
    const plan = planOf(expression, from, timeZone)
    const expected = Array.from({ length: 1200 }, (_, month) => runOf(month))
    fc.assert(
      fc.property(outages, (steps) => {
        const runTimesMs: number[] = []
        let lastRunAtMs: number | undefined
        let nowMs = from
        const start = (count: number): void => {
          const due = runsDue(plan, lastRunAtMs, nowMs, 'ALL')
          for (const atMs of due.runs.slice(0, count)) {
            runTimesMs.push(atMs)
            lastRunAtMs = atMs
          }
          if (count >= due.runs.length) lastRunAtMs = due.lastRunAtMs
        }
        for (let index = 0; nowMs < until - 1; index += 1) {
          const step = steps[index % steps.length] ?? { outage: DAY_MS, runsUntilKill: 99 }
          const startsAtMs = typeof step.outage === 'number' ? nowMs + step.outage : nextRun(plan, nowMs)
          nowMs = Math.min(startsAtMs ?? until, until - 1)
          start(step.runsUntilKill)
          // A killed process is restarted at once, and makes the remaining runs.
          start(99)
        }
        expect(runTimesMs).toEqual(expected)
      }),
      { numRuns: process.env['TOLLGATE_TEST_LONG'] === '1' ? 100 : 1 },
    )
  })
})
