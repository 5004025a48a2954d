import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextFire } from './next-fire.ts'
import { type KnownAnswer, knownAnswers, refusedExpressions } from '../testing/quartz-known-answers.ts'
import { parseQuartz, type Quartz } from './quartz.ts'

function read(expression: string): Quartz {
  const parsed = parseQuartz(expression)
  if (parsed.kind === 'refused') throw new Error(`${expression}: ${parsed.reason}`)
  return parsed
}

/** The next `count` times in the format of the known answers. */
function nextTimes(expression: string, after: string, count: number, timeZone = 'UTC'): readonly string[] {
  const times: string[] = []
  let atMs: number | undefined = Date.parse(after)
  while (atMs !== undefined && times.length < count) {
    atMs = nextFire(read(expression), atMs, timeZone)
    times.push(atMs === undefined ? 'never' : new Date(atMs).toISOString().replace('.000Z', 'Z'))
  }
  return times
}

const timesOf = ({ times }: KnownAnswer): readonly string[] => times.trim().split(/\s+/)
const nameOf = ({ expression, timeZone, after }: KnownAnswer): string => `${expression} ${timeZone} ${after}`

/**
 * By known answer, the time of the run that Quartz skips because its local time does not exist: `nextFire` returns the
 * first instant after the gap.
 */
const differences: ReadonlyMap<string, string> = new Map([
  ['0 30 2 * * ? Europe/Berlin 2024-03-29T12:00:00Z', '2024-03-31T01:00:00Z'],
  ['0 0 2 * * ? Europe/Berlin 2024-03-29T12:00:00Z', '2024-03-31T01:00:00Z'],
  ['0 30 2 * * ? America/New_York 2024-03-08T12:00:00Z', '2024-03-10T07:00:00Z'],
])

test('all known answers of Quartz are present', () => {
  expect([knownAnswers.length, refusedExpressions.length]).toEqual([61, 12])
  expect(knownAnswers.filter((answer) => differences.has(nameOf(answer)))).toHaveLength(differences.size)
})

test.each(knownAnswers.map((answer) => [nameOf(answer), answer] as const))(
  'fires as in Quartz, except in gaps: %s',
  (name, answer) => {
    const afterGap = differences.get(name)
    const expected = afterGap === undefined ? timesOf(answer) : [...timesOf(answer), afterGap].toSorted()
    expect(nextTimes(answer.expression, answer.after, expected.length, answer.timeZone)).toEqual(expected)
  },
)

const expectedRefusals: Readonly<Record<string, string>> = {
  '0 0 * 4 * *': '100.250.120 job.expression has both a day of month and a day of week, which exclude each other',
  '0 43 9 ? * SAT,SUN,L': '100.250.120 job.dayOfWeek, at character 12 ',
  '/120 0 8-18 ? * 2-6': '100.250.122 job.second, at character 1 ',
  '0 0/120 * * * ?': '100.250.122 job.minute, at character 3 ',
  '0 15 10 * * ? 2005 *': '100.250.120 job.expression has more than 7 fields',
  '60 0 0 1 1 ?': '100.250.122 job.second, at character 1 ',
  '0 60 0 1 1 ?': '100.250.122 job.minute, at character 3 ',
  '0 0 0 32 1 ?': '100.250.123 job.dayOfMonth, at character 7 ',
  '0 0 0 0 1 ?': '100.250.123 job.dayOfMonth, at character 7 ',
  '0 0 0 1 13 ?': '100.250.124 job.month, at character 9 ',
  '0 0 0 ? 1 3#6': '100.250.120 job.dayOfWeek, at character 11 ',
  '0 0 0 ? 1 3#1,6#3': '100.250.120 job.dayOfWeek, at character 11 ',
}

/** The code and reason of a refusal; otherwise the parsed expression as JSON. */
function refusalText(expression: string): string {
  const parsed = parseQuartz(expression)
  return parsed.kind === 'refused' ? `${parsed.code} ${parsed.reason}` : JSON.stringify(parsed)
}

test.each(refusedExpressions)('%s is refused as by Quartz (%s)', (expression) => {
  expect(expectedRefusals[expression]).toBeDefined()
  expect(refusalText(expression)).toContain(expectedRefusals[expression])
})

test.each([
  ['', '100.250.111 job.expression is empty'],
  [' \t ', '100.250.111 job.expression is empty'],
  ['0', '100.250.110 job.expression has 1 of its fields'],
  ['0 0 12 * *', '100.250.110 job.expression has 5 of its fields'],
  ['0 0 0 ? * ?', '100.250.120 job.expression has ? both for the day of month and for the day of week'],
  ['0 0 0 1 * 1', '100.250.120 job.expression has both a day of month and a day of week'],
  ['0 0 24 1 * ?', '100.250.121 job.hour, at character 5 '],
  ['0 0 1,24 1 * ?', '100.250.121 job.hour, at character 7 '],
  ['0 0 1-24 1 * ?', '100.250.121 job.hour, at character 5 '],
  ['0 0 noon 1 * ?', '100.250.121 job.hour, at character 5 '],
  ['0 0 0/24 1 * ?', '100.250.121 job.hour, at character 5 '],
  ['0 0 ? 1 * ?', '100.250.120 job.hour, at character 5 '],
  ['0 0 L 1 * ?', '100.250.121 job.hour, at character 5 '],
  ['0 0 1, 1 * ?', '100.250.120 job.hour, at character 7 '],
  ['0 0 1- 1 * ?', '100.250.120 job.hour, at character 5 '],
  ['0 0 1-2-3 1 * ?', '100.250.120 job.hour, at character 5 '],
  ['0 0 */ 1 * ?', '100.250.120 job.hour, at character 5 '],
  ['0 0 -1 1 * ?', '100.250.120 job.hour, at character 5 '],
  ['0 0 1.5 1 * ?', '100.250.120 job.hour, at character 5 '],
  ['0 0 １ 1 * ?', '100.250.120 job.hour, at character 5 '],
  ['-0 0 0 1 * ?', '100.250.120 job.second, at character 1 '],
  ['*/0 0 0 1 * ?', '100.250.122 job.second, at character 1 '],
  ['0 0 0 L-31 * ?', '100.250.123 job.dayOfMonth, at character 7 '],
  ['0 0 0 32W * ?', '100.250.123 job.dayOfMonth, at character 7 '],
  ['0 0 0 0W * ?', '100.250.123 job.dayOfMonth, at character 7 '],
  ['0 0 0 1-5W * ?', '100.250.123 job.dayOfMonth, at character 7 '],
  ['0 0 0 W * ?', '100.250.123 job.dayOfMonth, at character 7 '],
  ['0 0 0 5,? * ?', '100.250.120 job.dayOfMonth, at character 9 '],
  ['0 0 0 5L * ?', '100.250.123 job.dayOfMonth, at character 7 '],
  ['0 0 0 1 0 ?', '100.250.124 job.month, at character 9 '],
  ['0 0 0 1 JANUARY ?', '100.250.124 job.month, at character 9 '],
  ['0 0 0 1 SUN ?', '100.250.124 job.month, at character 9 '],
  ['0 0 0 1 1/13 ?', '100.250.124 job.month, at character 9 '],
  ['0 0 0 ? * 0', '100.250.125 job.dayOfWeek, at character 11 '],
  ['0 0 0 ? * 8', '100.250.125 job.dayOfWeek, at character 11 '],
  ['0 0 0 ? * 8L', '100.250.125 job.dayOfWeek, at character 11 '],
  ['0 0 0 ? * 8#1', '100.250.125 job.dayOfWeek, at character 11 '],
  ['0 0 0 ? * 2#0', '100.250.120 job.dayOfWeek, at character 11 '],
  ['0 0 0 ? * 2,6#3', '100.250.120 job.dayOfWeek, at character 11 '],
  ['0 0 0 ? * MON-8', '100.250.125 job.dayOfWeek, at character 11 '],
  ['0 0 0 ? * 2W', '100.250.125 job.dayOfWeek, at character 11 '],
  ['0 0 0 1 * ? 1969', '100.250.120 job.year, at character 13 '],
  ['0 0 0 1 * ? 2100', '100.250.120 job.year, at character 13 '],
  ['0 0 0 1 * ? 2030-2029', '100.250.120 job.year, at character 13 '],
])('"%s" is refused', (expression, reason) => {
  expect(refusalText(expression)).toContain(reason)
})

/** Expressions, and the reasons of their refusals if they are sent as single fields, and as one expression. */
test.each([
  [
    '0 0 0 1 * 1',
    'job.dayOfMonth and job.dayOfWeek exclude each other: leave job.dayOfWeek out to run on days of the month, or ' +
      'job.dayOfMonth to run on days of the week',
    'job.expression has both a day of month and a day of week, which exclude each other: put ? for the day of week ' +
      'to run on days of the month, or for the day of month to run on days of the week',
  ],
  [
    '0 0 0 * * MON',
    'job.dayOfMonth and job.dayOfWeek exclude each other: leave job.dayOfMonth out',
    'job.expression has both a day of month and a day of week, which exclude each other: put ? for the day of month',
  ],
  [
    '0 0 0 15 * *',
    'job.dayOfMonth and job.dayOfWeek exclude each other: leave job.dayOfWeek out',
    'job.expression has both a day of month and a day of week, which exclude each other: put ? for the day of week',
  ],
  [
    '0 0 0 ? * ?',
    'job.dayOfMonth and job.dayOfWeek are both ?: leave one of the two out, or give it a day',
    'job.expression has ? both for the day of month and for the day of week: give one of the two a day',
  ],
  [
    '0 0 0 ? * 3#6',
    'job.dayOfWeek must have 1 to 5 after #',
    'job.dayOfWeek, at character 11 of job.expression, must have 1 to 5 after #',
  ],
  [
    '0 0 0 ? * 2,6#3',
    'job.dayOfWeek must have L or # after a single day, not in a list',
    'job.dayOfWeek, at character 11 of job.expression, must have L or # after a single day, not in a list',
  ],
  [
    '0 0 1,24 1 * ?',
    'job.hour, at its character 3, must be 0 to 23',
    'job.hour, at character 7 of job.expression, must be 0 to 23',
  ],
  [
    '0 0 */ 1 * ?',
    'job.hour must consist of 0 to 23 and , - * /',
    'job.hour, at character 5 of job.expression, must consist of 0 to 23 and , - * /',
  ],
  [
    '0 */60 0 1 * ?',
    'job.minute must have 1 to 59 after /',
    'job.minute, at character 3 of job.expression, must have 1 to 59 after /',
  ],
  [
    '0 0 0 L-31 * ?',
    'job.dayOfMonth must have 0 to 30 after L-',
    'job.dayOfMonth, at character 7 of job.expression, must have 0 to 30 after L-',
  ],
  [
    '0 0 0 1 * ? 2030-2029',
    'job.year must begin a range with its earlier year',
    'job.year, at character 13 of job.expression, must begin a range with its earlier year',
  ],
])('the reason of the refusal of %s names the sent parameters', (expression, ofFields, ofExpression) => {
  const reasons = (['fields', 'expression'] as const).map((source) => parseQuartz(expression, source))
  expect(reasons).toMatchObject([{ reason: ofFields }, { reason: ofExpression }])
})

test('a refusal never repeats the input', () => {
  expect(refusalText('0 0 0 secret * ?')).not.toContain('secret')
})

describe('a parsed expression', () => {
  test.each([
    ['0 0 22-2 1 * ?', 'hours', [0, 1, 2, 22, 23]],
    ['0 0 22-2/2 1 * ?', 'hours', [0, 2, 22]],
    ['0 0 */6 1 * ?', 'hours', [0, 6, 12, 18]],
    ['0 0 /6 1 * ?', 'hours', [0, 6, 12, 18]],
    ['0 0 3/6 1 * ?', 'hours', [3, 9, 15, 21]],
    ['0 0 3-10/6,9,9 1 * ?', 'hours', [3, 9]],
    ['0 0 05 1 * ?', 'hours', [5]],
    ['50-10/10 0 0 1 * ?', 'seconds', [0, 10, 50]],
    ['0 55-4/3 0 1 * ?', 'minutes', [1, 4, 55, 58]],
    ['0 0 0 1 nov-Feb ?', 'months', [1, 2, 11, 12]],
    ['0 0 0 1 10-3/2 ?', 'months', [2, 10, 12]],
    ['0 0 0 1 OCT-MAR/2 ?', 'months', [1, 2, 3, 10, 11, 12]],
    ['0 0 0 1 JAN/3,JUN ?', 'months', [1, 6]],
    ['0 0 0 1 */5 ?', 'months', [1, 6, 11]],
    ['0 0 0 1 * ? 2097/2,1970', 'years', [1970, 2097, 2099]],
    ['0 0 0 ? * FRI-MON', 'days', { kind: 'ofWeek', weekdays: [1, 2, 6, 7], occurrence: 'every' }],
    ['0 0 0 ? * 2-6/2', 'days', { kind: 'ofWeek', weekdays: [2, 4, 6], occurrence: 'every' }],
    ['0 0 0 ? * mon-FRI/2', 'days', { kind: 'ofWeek', weekdays: [2, 3, 4, 5, 6], occurrence: 'every' }],
    ['0 0 0 ? * MON/2', 'days', { kind: 'ofWeek', weekdays: [2], occurrence: 'every' }],
    ['0 0 0 ? * friL', 'days', { kind: 'ofWeek', weekdays: [6], occurrence: 'last' }],
    ['0 0 0 ? * l', 'days', { kind: 'ofWeek', weekdays: [7], occurrence: 'every' }],
  ] as const)('of %s has the %s %o', (expression, field, expected) => {
    expect(read(expression)[field]).toEqual(expected)
  })
})

test('an expression of every second fires at whole seconds from 1970 to the end of 2099', () => {
  expect(nextTimes('* * * * * ?', '1969-12-31T23:59:58Z', 2)).toEqual(['1970-01-01T00:00:00Z', '1970-01-01T00:00:01Z'])
  expect(nextTimes('* * * * * ?', '2099-12-31T23:59:58Z', 2)).toEqual(['2099-12-31T23:59:59Z', 'never'])
  expect(nextTimes('* * * * * ?', '2024-05-04T10:00:00.500Z', 1)).toEqual(['2024-05-04T10:00:01Z'])
  expect(nextTimes('* * * * * ?', '1900-01-01T00:00:00Z', 1)).toEqual(['1970-01-01T00:00:00Z'])
})

// In 2024, 1 June is a Saturday and 30 June a Sunday.
test.each([
  ['0 0 0 1W 6 ?', '2024-06-03'],
  ['0 0 0 LW 6 ?', '2024-06-28'],
  ['0 0 0 30W 6 ?', '2024-06-28'],
  ['0 0 0 15W 6 ?', '2024-06-14'],
  ['0 0 0 16W 6 ?', '2024-06-17'],
  ['0 0 0 L-29W 6 ?', '2024-06-03'],
  ['0 0 0 L-30 * ? 2024-2025', '2024-07-01'],
  ['0 0 0 ? 6 1#5', '2024-06-30'],
  ['0 0 0 ? 6 2#5', '2025-06-30'],
])('%s fires first on %s', (expression, day) => {
  expect(nextTimes(expression, '2024-06-01T00:00:00Z', 1)).toEqual([`${day}T00:00:00Z`])
})

test('any text is either read or refused, and a read expression fires later or never', () => {
  const hostile = fc.stringMatching(/^[-0-9A-Za-z,*/?#]{1,6}$/)
  const number = fc.constantFrom('*', '0', '1', '5-3', '*/7', '9/2', '3,1,1', '/4')
  const ofMonth = fc.constantFrom('1', 'L', 'LW', 'L-3W', '9W,L-30', '31', '30-2/5')
  const ofWeek = fc.constantFrom('L', '6L', '6#5', 'FRI-MON', '1/3')
  const days = fc.oneof(
    fc.tuple(ofMonth, number, fc.constant('?')),
    fc.tuple(fc.constant('?'), number, ofWeek),
    fc.tuple(hostile, number, fc.oneof(ofWeek, hostile)),
  )
  const year = fc.oneof(fc.constantFrom('', '*', '2024', '2024/4', '2099'), hostile)
  const time = fc.oneof({ weight: 9, arbitrary: number }, { weight: 1, arbitrary: hostile })
  const fields = fc.tuple(time, time, time, days, year).map((parts) => parts.flat().join(' '))
  const text = fc.oneof({ weight: 1, arbitrary: fc.string() }, { weight: 9, arbitrary: fields })
  let readable = 0
  fc.assert(
    fc.property(text, fc.integer({ min: 0, max: Date.UTC(2100, 0) }), (expression, afterMs) => {
      const parsed = parseQuartz(expression)
      if (parsed.kind === 'refused') {
        expect(parsed.code).toMatch(/^100\.250\.1[12]\d$/)
        return
      }
      readable += 1
      const { seconds, minutes, hours, months, years } = parsed
      for (const list of [seconds, minutes, hours, months, years]) {
        expect(list).not.toEqual([])
        expect(list).toEqual([...new Set(list)].toSorted((left, right) => left - right))
      }
      expect(nextFire(parsed, afterMs) ?? Number.POSITIVE_INFINITY).toBeGreaterThan(afterMs)
    }),
    { numRuns: 3_000 },
  )
  expect(readable).toBeGreaterThan(100)
})
