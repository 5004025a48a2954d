import { DAY_MS, decodeForm } from '@tollgate/contract'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextRun, type Plan, readPlan } from './plan.ts'
import { type CatchUp, runsDue } from './runs-due.ts'

const ms = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`)
const shown = (atMs: number): string => new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')

function planOf(expression: string, madeAtMs: number, timeZone = 'UTC'): Plan {
  const form = decodeForm(new TextEncoder().encode(`job.expression=${encodeURIComponent(expression)}`))
  const plan = readPlan(form, { timeZone, madeAtMs })
  if (plan.kind === 'refused') throw new Error(plan.reason)
  return plan
}

describe('of a monthly plan, on the last day at noon', () => {
  const plan = planOf('0 0 12 L * ?', ms('2024-12-05 00:00:00'))
  const due = (last: string | undefined, now: string, catchUp?: CatchUp) => {
    const { runs, lastRunAtMs } = runsDue(plan, last === undefined ? undefined : ms(last), ms(now), catchUp)
    return [...runs, lastRunAtMs].map((atMs) => (atMs === undefined ? 'none' : shown(atMs)))
  }
  const [dec, jan, feb] = ['2024-12-31 12:00:00', '2025-01-31 12:00:00', '2025-02-28 12:00:00']

  test.each<[what: string, last: string | undefined, now: string, catchUp: CatchUp, expected: readonly string[]]>([
    ['nothing yet', undefined, '2024-12-31 11:59:59', 'ALL', ['none']],
    ['the first, to the second', undefined, dec, 'NONE', [dec, dec]],
    ['on time for a minute', undefined, '2024-12-31 12:01:00', 'NONE', [dec, dec]],
    ['a minute and a second late: passed over', undefined, '2024-12-31 12:01:01', 'NONE', [dec]],
    ['late: made once', undefined, '2024-12-31 12:01:01', 'ONCE', [dec, dec]],
    ['done: nothing', dec, '2024-12-31 12:01:01', 'ALL', [dec]],
    ['two missed: the newest', dec, '2025-03-15 00:00:00', 'ONCE', [feb, feb]],
    ['two missed: both', dec, '2025-03-15 00:00:00', 'ALL', [jan, feb, feb]],
    ['two missed: neither', dec, '2025-03-15 00:00:00', 'NONE', [feb]],
    ['one missed and one on time', dec, '2025-02-28 12:00:30', 'ONCE', [jan, feb, feb]],
    ['one missed and one on time: that', dec, '2025-02-28 12:00:30', 'NONE', [feb, feb]],
    ['a clock that went back: nothing', feb, '2025-01-31 12:00:00', 'ALL', [feb]],
  ])('%s', (_, last, now, catchUp, expected) => {
    expect(due(last, now, catchUp)).toEqual(expected)
  })

  test('without a policy, one run is made for all that were missed', () => {
    expect(due(dec, '2025-03-15 00:00:00')).toEqual([feb, feb])
  })

  test('ALL makes up for a year of months at most, the newest', () => {
    const runs = due(dec, '2027-03-15 00:00:00', 'ALL').slice(0, -1)
    expect([runs.length, runs[0], runs.at(-1)]).toEqual([12, '2026-03-31 12:00:00', '2027-02-28 12:00:00'])
  })
})

test('a plan of every second resumes after years without counting each missed run', () => {
  const plan = planOf('* * * * * ?', ms('2024-01-01 00:00:00'), 'Europe/Berlin')
  const { runs, lastRunAtMs } = runsDue(plan, ms('2024-01-01 00:00:00'), ms('2030-01-01 00:00:00'), 'ALL')
  expect([runs.length, lastRunAtMs]).toEqual([12 + 61, ms('2030-01-01 00:00:00')])
  expect(runs).toEqual(Array.from({ length: 73 }, (_, index) => ms('2030-01-01 00:00:00') - (72 - index) * 1000))
})

test('an ended plan only makes up for runs due before its end', () => {
  const plan = { ...planOf('0 0 12 * * ?', ms('2024-01-01 00:00:00')), endsAtMs: ms('2024-01-02 12:00:00') }
  const { runs } = runsDue(plan, undefined, ms('2024-02-01 00:00:00'), 'ALL')
  expect(runs.map(shown)).toEqual(['2024-01-01 12:00:00'])
})

describe('a hundred years of a month each, with stops at random: no run twice, none missed', () => {
  const [from, until] = [Date.UTC(1999, 0), Date.UTC(2099, 0)]
  // Usually it stops until the next run, otherwise for up to 300 days: fewer than the twelve missed runs that are made.
  const sleep = fc.oneof(fc.constant('until the next run'), fc.integer({ min: DAY_MS, max: 300 * DAY_MS }))
  /** Number of due runs after which the process is killed; stored runs stay. */
  const dies = fc.oneof(fc.constant(99), fc.integer({ min: 0, max: 3 }))
  const life = fc.array(fc.record({ sleep, dies }), { minLength: 100, maxLength: 100 })

  test.each([
    ['0 0 0 L * ?', 'UTC', (month: number) => Date.UTC(1999, month + 1, 0)],
    ['0 30 9 1 * ?', 'Asia/Tokyo', (month: number) => Date.UTC(1999, month, 1, 0, 30)],
  ] as const)('%s in %s', (expression, timeZone, runOf) => {
    const plan = planOf(expression, from, timeZone)
    const expected = Array.from({ length: 1200 }, (_, month) => runOf(month))
    fc.assert(
      fc.property(life, (steps) => {
        const made: number[] = []
        let lastRunAtMs: number | undefined
        let nowMs = from
        const wake = (survives: number): void => {
          const due = runsDue(plan, lastRunAtMs, nowMs, 'ALL')
          for (const atMs of due.runs.slice(0, survives)) {
            made.push(atMs)
            lastRunAtMs = atMs
          }
          if (survives >= due.runs.length) lastRunAtMs = due.lastRunAtMs
        }
        for (let index = 0; nowMs < until - 1; index += 1) {
          const step = steps[index % steps.length] ?? { sleep: DAY_MS, dies: 99 }
          const wakesAtMs = typeof step.sleep === 'number' ? nowMs + step.sleep : nextRun(plan, nowMs)
          nowMs = Math.min(wakesAtMs ?? until, until - 1)
          wake(step.dies)
          // It is started again before so much is missed that some is passed over.
          wake(99)
        }
        expect(made).toEqual(expected)
      }),
      { numRuns: process.env['TOLLGATE_TEST_LONG'] === '1' ? 100 : 1 },
    )
  })
})
