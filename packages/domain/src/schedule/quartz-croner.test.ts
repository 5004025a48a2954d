import { HOUR_MS } from '@tollgate/contract'
import { Cron } from 'croner'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextFire } from './next-fire.ts'
import { parseQuartz } from './quartz.ts'

const numRuns = process.env['TOLLGATE_TEST_LONG'] === '1' ? 100_000 : 500

/** Fields that mean the same in Quartz and in croner. They contain no wrapping ranges, which croner does not have. */
function field(min: number, max: number, name: (number: number) => string = String): fc.Arbitrary<string> {
  const number = fc.integer({ min, max })
  const step = fc.integer({ min: 1, max: max - min })
  const range = fc.tuple(number, number).map((bounds) => [Math.min(...bounds), Math.max(...bounds)] as const)
  const item = fc.oneof(
    number.map(name),
    range.map(([from, to]) => `${name(from)}-${name(to)}`),
    fc.tuple(range, step).map(([[from, to], every]) => `${from}-${to}/${Math.min(every, to - from + 1)}`),
    fc.tuple(number, step).map(([from, every]) => `${from}/${Math.min(every, max - from + 1)}`),
    step.map((every) => `*/${every}`),
  )
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant('*') },
    { weight: 2, arbitrary: number.map(name) },
    { weight: 3, arbitrary: fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => items.join(',')) },
  )
}

const namedBy = (names: string) => (number: number) => names.split(' ')[number - 1] ?? ''
const month = fc.oneof(field(1, 12), field(1, 12, namedBy('JAN feb MAR APR MAY JUN JUL AUG SEP OCT NOV DEC')))
const weekday = fc.oneof(field(1, 7), field(1, 7, namedBy('SUN MON tue WED THU FRI SAT')))
const numberedDay = fc.integer({ min: 1, max: 31 })
const dayOfMonth = fc.oneof(
  field(1, 31),
  fc.constant('LW'),
  fc
    .array(
      fc.oneof(
        fc.constant('L'),
        numberedDay.map(String),
        numberedDay.map((day) => `${day}W`),
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    .map((items) => items.join(',')),
)
const dayOfWeek = fc.oneof(
  weekday,
  fc
    .tuple(fc.integer({ min: 1, max: 7 }), fc.constantFrom('L', '#1', '#2', '#3', '#4', '#5'))
    .map(([day, occurrence]) => {
      return `${day}${occurrence}`
    }),
)
const days = fc.oneof(
  dayOfMonth.map((day) => [day, '?'] as const),
  dayOfWeek.map((day) => ['?', day] as const),
)
const year = fc.oneof(
  fc.constant(''),
  // Years with a step of `*` are left out: Quartz counts the steps from 1970, croner from another year.
  field(2000, 2099)
    .filter((text) => !text.includes('*/'))
    .map((text) => ` ${text}`),
)

const expression = fc
  .tuple(field(0, 59), field(0, 59), field(0, 23), days, month, year)
  .map(([second, minute, hour, [dayInMonth, dayInWeek], monthInYear, years]) => {
    return `${second} ${minute} ${hour} ${dayInMonth} ${monthInYear} ${dayInWeek}${years}`
  })
const instant = fc
  .integer({ min: Date.UTC(2000, 0) / 1000, max: Date.UTC(2060, 0) / 1000 })
  .map((second) => second * 1000)

test(`${numRuns} expressions fire at the same times as in croner`, () => {
  let fired = 0
  fc.assert(
    fc.property(expression, instant, fc.constantFrom('UTC', 'Asia/Tokyo'), (text, fromMs, timezone) => {
      const quartz = parseQuartz(text)
      if (quartz.kind === 'refused') throw new Error(quartz.reason)
      const croner = new Cron(text.replace('?', '*'), {
        timezone,
        alternativeWeekdays: true,
        sloppyRanges: true,
        mode: '6-or-7-parts',
      })
      let atMs: number | undefined = fromMs
      for (let count = 0; count < 3 && atMs !== undefined; count += 1) {
        // A Quartz expression does not fire after 2099, but croner does.
        const reference = croner.nextRun(new Date(atMs))?.getTime()
        const end = Date.UTC(2100, 0) - (timezone === 'UTC' ? 0 : 9 * HOUR_MS)
        const expected = reference === undefined || reference >= end ? undefined : reference
        atMs = nextFire(quartz, atMs, timezone)
        expect(atMs).toBe(expected)
        if (atMs !== undefined) fired += 1
      }
    }),
    { numRuns },
  )
  expect(fired).toBeGreaterThan(numRuns)
})
