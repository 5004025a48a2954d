import { decodeForm } from '@tollgate/contract'
import { describe, expect, test } from 'vitest'
import { effectiveEnd } from './effective-end.ts'
import { nextRun, type Plan, readPlan } from './plan.ts'

const CREATED = '2026-05-04 10:00:05'
const ms = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`)
const textOf = (atMs: number | undefined): string =>
  atMs === undefined ? 'never' : new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')

function read(job: string, { timeZone = 'UTC', made = CREATED } = {}) {
  return readPlan(decodeForm(new TextEncoder().encode(job)), { timeZone, madeAtMs: ms(made) })
}

function planOf(job: string, origin: Parameters<typeof read>[1] = {}): Plan {
  const plan = read(job, origin)
  if (plan.kind === 'refused') throw new Error(`${plan.code} ${plan.reason}`)
  return plan
}

const nextRunAfter = (plan: Plan, text: string): string => textOf(nextRun(plan, ms(text)))

describe('the times of a plan', () => {
  test.each([
    ['nothing sent', '', '2027-01-01 00:00:00'],
    ['every month', 'job.dayOfMonth=5&job.month=*', '2026-05-05 00:00:00'],
    ['a day of the month alone', 'job.dayOfMonth=5', '2027-01-05 00:00:00'],
    ['a day of the week alone', 'job.dayOfWeek=MON&job.month=*', '2026-05-11 00:00:00'],
    ['day of month is ?', 'job.dayOfMonth=%3F&job.dayOfWeek=2&job.month=*', '2026-05-11 00:00:00'],
    ['a time of day', 'job.dayOfMonth=L&job.month=*&job.hour=3&job.minute=2&job.second=1', '2026-05-31 03:02:01'],
    [
      'an expression beside fields, which it overrides',
      'job.expression=0+0+0+L+*+%3F&job.dayOfMonth=5&job.year=2030',
      '2026-05-31 00:00:00',
    ],
    ['a year', 'job.year=2030', '2030-01-01 00:00:00'],
  ])('%s: %j runs first at %s', (_name, job, expected) => {
    expect(nextRunAfter(planOf(job), CREATED)).toBe(expected)
  })

  test('are in the time zone of the plan', () => {
    const daily = 'job.expression=0+0+12+*+*+%3F'
    expect(nextRunAfter(planOf(daily, { timeZone: 'Australia/Lord_Howe' }), CREATED)).toBe('2026-05-05 01:30:00')
    const dated = `${daily}&job.startDate=2026-07-01+12:00:00&job.endDate=2026-07-02+12:00:00`
    const plan = planOf(dated, { timeZone: 'Europe/Berlin' })
    expect(nextRunAfter(plan, CREATED)).toBe('2026-07-01 10:00:00')
    expect(nextRunAfter(plan, '2026-07-01 10:00:00')).toBe('2026-07-02 10:00:00')
    expect(nextRunAfter(plan, '2026-07-02 10:00:00')).toBe('never')
  })
})

describe('the start and the end of a plan are included', () => {
  const daily = 'job.expression=0+0+12+*+*+%3F'
  test.each([
    [daily, '2026-05-04 12:00:00'],
    [`${daily}&job.startDate=2026-06-01+12:00:00`, '2026-06-01 12:00:00'],
    [`${daily}&job.startDate=2026-06-01+12:00:01`, '2026-06-02 12:00:00'],
    [`${daily}&job.startDate=2020-01-01+00:00:00`, '2026-05-04 12:00:00'],
    [`${daily}&job.endDate=2026-05-04+12:00:00`, '2026-05-04 12:00:00'],
    [`${daily}&job.startDate=2026-06-01+12:00:00&job.endDate=2026-06-01+12:00:00`, '2026-06-01 12:00:00'],
  ])('%s runs first at %s', (job, firstRun) => {
    expect(nextRunAfter(planOf(job), '1970-01-01 00:00:00')).toBe(firstRun)
  })

  test('a plan has no run after its end', () => {
    const plan = planOf(`${daily}&job.endDate=2026-05-06+11:59:59`)
    expect(nextRunAfter(plan, '2026-05-04 12:00:00')).toBe('2026-05-05 12:00:00')
    expect(nextRunAfter(plan, '2026-05-05 12:00:00')).toBe('never')
  })

  test('a plan that is created when it is due runs at once, but not if it is created a millisecond later', () => {
    expect(nextRunAfter(planOf(daily, { made: '2026-05-04 12:00:00' }), '1970-01-01 00:00:00')).toBe(
      '2026-05-04 12:00:00',
    )
    expect(nextRunAfter(planOf(daily, { made: '2026-05-04 12:00:00.001' }), '1970-01-01 00:00:00')).toBe(
      '2026-05-05 12:00:00',
    )
  })
})

const durationOf = (unit: string, number: string) => `job.durationUnit=${unit}&job.durationNumber=${number}`

test.each([
  ['job.dayOfMonth=15&job.dayOfWeek=MON', '100.250.120', 'exclude each other: leave job.dayOfWeek out to run on'],
  ['job.dayOfMonth=*&job.dayOfWeek=MON', '100.250.120', 'exclude each other: leave job.dayOfMonth out'],
  ['job.dayOfWeek=1,8', '100.250.125', 'job.dayOfWeek, at its character 3, must be 1 to 7 or SUN to SAT'],
  ['job.dayOfMonth=%3F&job.dayOfWeek=%3F', '100.250.120', 'both ?'],
  ['job.expression=0+0+24+L+*+%3F', '100.250.121', 'job.hour, at character 5 of job.expression, must be 0 to 23'],
  ['job.expression=0+0+0+30+2+%3F', '100.250.100', 'never run'],
  ['job.year=2026', '100.250.100', 'never run'],
  ['job.endDate=2026-12-31+23:59:59', '100.250.100', 'never run'],
  ['job.endDate=2026-05-01+00:00:00', '100.250.100', 'never run'],
  ['job.startDate=2099-01-01+00:00:01', '100.250.100', 'never run'],
  ['job.startDate=2028-01-01+00:00:01&job.endDate=2028-01-01+00:00:00', '100.250.100', 'before job.startDate'],
  ['job.noticeUnit=DAY', '100.250.107', 'job.noticeNumber is missing'],
  ['job.noticeNumber=3', '100.250.107', 'job.noticeUnit is missing or unknown'],
  [
    'job.noticeUnit=DECADE&job.noticeNumber=3',
    '100.250.107',
    'job.noticeUnit is missing or unknown: it must be YEAR to SECOND',
  ],
  ['job.noticeUnit=YEAR&job.noticeNumber=101', '100.250.107', 'at most 100 YEAR'],
  ['job.durationUnit=DAY', '100.250.106', 'job.durationNumber is missing'],
  ['job.durationNumber=3', '100.250.106', 'job.durationUnit is missing'],
  ['job.durationUnit=MONTH&job.durationNumber=0', '100.250.106', '1 or more'],
  ['job.noticeCallable=DURATION_END', '100.250.106', 'DURATION_END needs them'],
  [durationOf('SECOND', '9999999999999999'), '100.250.106', 'at most 3153600000 SECOND'],
  [durationOf('MONTH', '1201'), '100.250.106', 'at most 1200 MONTH'],
])('%s is refused', (job, code, reason) => {
  expect(read(job)).toEqual({ kind: 'refused', code, reason: expect.stringContaining(reason) })
})

test.each([
  ['YEAR', '0100'],
  ['MONTH', '1200'],
  ['WEEK', '5200'],
  ['DAY', '36500'],
  ['HOUR', '876000'],
  ['MINUTE', '52560000'],
  ['SECOND', '3153600000'],
])('a term of a hundred years is accepted in %s', (unit, number) => {
  const plan = planOf(`${durationOf(unit, number)}&job.noticeCallable=DURATION_END`)
  expect(textOf(effectiveEnd(plan, ms(CREATED)))).toMatch(/^21(25|26)-/)
})

const START = 'job.dayOfMonth=L&job.month=*&job.startDate=2026-01-31+00:00:00'
const notice = (number: number, unit: string) => `&job.noticeNumber=${number}&job.noticeUnit=${unit}`
const duration = (number: number, unit: string) =>
  `&job.durationNumber=${number}&job.durationUnit=${unit}&job.noticeCallable=DURATION_END`

describe('a cancelled plan ends', () => {
  test.each([
    ['at once, without notice and duration', '', '2026-05-04 10:00:00', '2026-05-04 10:00:00'],
    ['after its notice', notice(3, 'MONTH'), '2026-05-31 10:00:00', '2026-08-31 10:00:00'],
    ['after its notice, in a short month', notice(1, 'MONTH'), '2027-01-31 10:00:00', '2027-02-28 10:00:00'],
    ['after its notice, in a leap year', notice(1, 'MONTH'), '2028-01-31 10:00:00', '2028-02-29 10:00:00'],
    ['a year on from 29 February', notice(1, 'YEAR'), '2028-02-29 10:00:00', '2029-02-28 10:00:00'],
    ['after weeks', notice(2, 'WEEK'), '2026-05-04 10:00:00', '2026-05-18 10:00:00'],
    ['after days', notice(30, 'DAY'), '2026-05-04 10:00:00', '2026-06-03 10:00:00'],
    ['after hours', notice(36, 'HOUR'), '2026-05-04 10:00:00', '2026-05-05 22:00:00'],
    ['after minutes', notice(90, 'MINUTE'), '2026-05-04 10:00:00', '2026-05-04 11:30:00'],
    ['after seconds', notice(5, 'SECOND'), '2026-05-04 10:00:00', '2026-05-04 10:00:05'],
    [
      'after its notice, with noticeCallable=ANYTIME',
      `${notice(1, 'DAY')}&job.noticeCallable=ANYTIME`,
      '2026-05-04 10:00:00',
      '2026-05-05 10:00:00',
    ],
    // Terms end on 31 January 2027, 2028 and so on.
    ['with its first term', duration(1, 'YEAR'), '2026-05-04 10:00:00', '2027-01-31 00:00:00'],
    [
      'with its first term, if cancelled before that term begins',
      duration(1, 'YEAR'),
      '2025-12-01 10:00:00',
      '2027-01-31 00:00:00',
    ],
    ['at the very end of a term', duration(1, 'YEAR'), '2027-01-31 00:00:00', '2027-01-31 00:00:00'],
    [
      'with the next term, a second after the end of a term',
      duration(1, 'YEAR'),
      '2027-01-31 00:00:01',
      '2028-01-31 00:00:00',
    ],
    [
      'with the term, with notice in time',
      duration(1, 'YEAR') + notice(3, 'MONTH'),
      '2026-10-31 00:00:00',
      '2027-01-31 00:00:00',
    ],
    [
      'with the next term, with late notice',
      duration(1, 'YEAR') + notice(3, 'MONTH'),
      '2026-10-31 00:00:01',
      '2028-01-31 00:00:00',
    ],
    [
      'with a later term, after a notice longer than a term',
      duration(1, 'MONTH') + notice(3, 'MONTH'),
      '2026-05-04 00:00:00',
      '2026-08-31 00:00:00',
    ],
    // Months are counted from the 31st, not from 28 February, on which the first term ended.
    ['with a short term', duration(1, 'MONTH'), '2026-02-10 00:00:00', '2026-02-28 00:00:00'],
    ['with the term after a short term', duration(1, 'MONTH'), '2026-03-10 00:00:00', '2026-03-31 00:00:00'],
    ['with a term twenty years later', duration(1, 'SECOND'), '2046-03-10 00:00:00', '2046-03-10 00:00:00'],
    ['with a term of days', duration(28, 'DAY'), '2026-03-01 00:00:00', '2026-03-28 00:00:00'],
    [
      'no later than its end',
      '&job.endDate=2026-06-30+00:00:00' + notice(3, 'MONTH'),
      '2026-05-31 10:00:00',
      '2026-06-30 00:00:01',
    ],
  ])('%s', (_name, parameters, descheduled, expected) => {
    const plan = planOf(START + parameters, { made: '2025-11-01 00:00:00' })
    expect(textOf(effectiveEnd(plan, ms(descheduled)))).toBe(expected)
  })

  test('by the calendar of its time zone: at local midnight; after 25 hours for one day, and 24 for 24 hours', () => {
    const plan = planOf(START + duration(1, 'MONTH'), { timeZone: 'Europe/Berlin', made: '2025-11-01 00:00:00' })
    expect(textOf(effectiveEnd(plan, ms('2026-03-10 00:00:00')))).toBe('2026-03-30 22:00:00')
    expect(textOf(effectiveEnd(plan, ms('2026-11-10 00:00:00')))).toBe('2026-11-29 23:00:00')
    const days = planOf(START + notice(1, 'DAY'), { timeZone: 'Europe/Berlin' })
    expect(textOf(effectiveEnd(days, ms('2026-10-24 12:00:00')))).toBe('2026-10-25 13:00:00')
    const hours = planOf(START + notice(24, 'HOUR'), { timeZone: 'Europe/Berlin' })
    expect(textOf(effectiveEnd(hours, ms('2026-10-24 12:00:00')))).toBe('2026-10-25 12:00:00')
  })

  test('after its remaining runs', () => {
    const plan = planOf(START + notice(2, 'MONTH'), { made: '2025-11-01 00:00:00' })
    const ended = { ...plan, endsAtMs: effectiveEnd(plan, ms('2026-05-31 00:00:00')) }
    expect(nextRunAfter(ended, '2026-05-31 00:00:00')).toBe('2026-06-30 00:00:00')
    expect(nextRunAfter(ended, '2026-06-30 00:00:00')).toBe('never')
  })
})

test('the terms of a plan are counted from its start, even from one in 1900', () => {
  const plan = planOf(`job.startDate=1900-01-31+12:00:00${duration(1, 'MONTH')}`)
  expect(textOf(effectiveEnd(plan, ms('2026-02-10 00:00:00')))).toBe('2026-02-28 12:00:00')
})
