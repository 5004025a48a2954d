import { DAY_MS } from '@tollgate/contract'
import * as fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { limits } from './limits.ts'
import { nextFire } from './schedule/next-fire.ts'
import { parseQuartz } from './schedule/quartz.ts'
import { instantMs, isTimeZone, wallTimeMs, wallTimeText } from './time-zone.ts'

function nextTimes(expression: string, timeZone: string, after: string, until: string): readonly string[] {
  const parsed = parseQuartz(expression)
  if (parsed.kind === 'refused') throw new Error(parsed.reason)
  const times: string[] = []
  let atMs = nextFire(parsed, Date.parse(after), timeZone)
  while (atMs !== undefined && atMs <= Date.parse(until) && times.length < 9) {
    times.push(new Date(atMs).toISOString().slice(5, 19))
    atMs = nextFire(parsed, atMs, timeZone)
  }
  return times
}

describe('a local time that does not exist', () => {
  test.each([
    // 02:00 to 03:00 on 31 March 2024, at 01:00 in UTC.
    ['Europe/Berlin', '0 30 2 * * ?', '2024-03-30', ['03-30T01:30:00', '03-31T01:00:00', '04-01T00:30:00']],
    ['Europe/Berlin', '0 0,30 2-3 31 3 ?', '2024-03-30', ['03-31T01:00:00', '03-31T01:30:00']],
    ['Europe/Berlin', '* * 2 31 3 ?', '2024-03-30', ['03-31T01:00:00']],
    // 02:00 to 03:00 on 6 October 2024, at 16:00 in UTC of the day before.
    ['Australia/Sydney', '0 15 2 * * ?', '2024-10-04', ['10-04T16:15:00', '10-05T16:00:00', '10-06T15:15:00']],
    // 02:00 to 02:30 on 6 October 2024, at 15:30 in UTC of the day before.
    ['Australia/Lord_Howe', '0 15 2 * * ?', '2024-10-04', ['10-04T15:45:00', '10-05T15:30:00', '10-06T15:15:00']],
    // A whole day: 30 December 2011, at 10:00 in UTC.
    ['Pacific/Apia', '0 0 12 30 * ?', '2011-12-29', ['12-30T10:00:00']],
  ])('in %s runs at the first instant after the gap, once: %s', (timeZone, expression, from, expected) => {
    const until = new Date(Date.parse(from) + 3 * DAY_MS).toISOString()
    expect(nextTimes(expression, timeZone, from, until)).toEqual(expected)
  })
})

describe('a local time that occurs twice', () => {
  test.each([
    // 03:00 back to 02:00 on 27 October 2024, at 01:00 in UTC.
    ['Europe/Berlin', '0 30 2 * * ?', '2024-10-26', ['10-26T00:30:00', '10-27T01:30:00', '10-28T01:30:00']],
    ['Europe/Berlin', '0 0 2-3 27 10 ?', '2024-10-26', ['10-27T01:00:00', '10-27T02:00:00']],
    // 03:00 back to 02:00 on 7 April 2024, at 16:00 in UTC of the day before.
    ['Australia/Sydney', '0 15 2 * * ?', '2024-04-05', ['04-05T15:15:00', '04-06T16:15:00', '04-07T16:15:00']],
    // 02:00 back to 01:30 on 7 April 2024, at 15:00 in UTC of the day before.
    ['Australia/Lord_Howe', '0 45 1 * * ?', '2024-04-05', ['04-05T14:45:00', '04-06T15:15:00', '04-07T15:15:00']],
  ])('in %s runs at the later instant, once: %s', (timeZone, expression, from, expected) => {
    const until = new Date(Date.parse(from) + 3 * DAY_MS).toISOString()
    expect(nextTimes(expression, timeZone, from, until)).toEqual(expected)
  })

  test('runs once if the search begins between its two instants', () => {
    const [between, until] = ['2024-10-27T00:45:00Z', '2024-10-27T02:00:00Z']
    expect(nextTimes('0 30 2 * * ?', 'Europe/Berlin', between, until)).toEqual(['10-27T01:30:00'])
    expect(nextTimes('0 0 2 * * ?', 'Europe/Berlin', between, until)).toEqual(['10-27T01:00:00'])
    expect(nextTimes('0 59 1 * * ?', 'Europe/Berlin', between, until)).toEqual([])
  })
})

test.each([
  ['Europe/Berlin', '0 0 3 * * ?', '2024-03-30', ['03-30T02:00:00', '03-31T01:00:00', '04-01T01:00:00']],
  ['Australia/Lord_Howe', '0 45 2 * * ?', '2024-10-04', ['10-04T16:15:00', '10-05T15:45:00', '10-06T15:45:00']],
  ['Australia/Lord_Howe', '0 15 1 * * ?', '2024-04-05', ['04-05T14:15:00', '04-06T14:15:00', '04-07T14:45:00']],
  ['Pacific/Apia', '0 0 12 31 * ?', '2011-12-29', ['12-30T22:00:00']],
])('a local time near a clock change in %s runs at its only instant: %s', (timeZone, expression, from, expected) => {
  const until = new Date(Date.parse(from) + 3 * DAY_MS).toISOString()
  expect(nextTimes(expression, timeZone, from, until)).toEqual(expected)
})

test.each(['Europe/Berlin', 'Australia/Lord_Howe', 'Africa/Casablanca'])(
  'each half hour of a year in %s is the local time of its instant, or in a gap',
  (timeZone) => {
    let [last, gaps] = [0, 0]
    for (let wallMs = Date.UTC(2024, 0, 1); wallMs < Date.UTC(2025, 0, 1); wallMs += 1_800_000) {
      const atMs = instantMs(timeZone, wallMs)
      expect(atMs).toBeGreaterThanOrEqual(last)
      last = atMs
      const shownMs = wallTimeMs(timeZone, atMs)
      if (shownMs === wallMs) continue
      gaps += 1
      expect(shownMs).toBeGreaterThan(wallMs)
      expect(wallTimeMs(timeZone, atMs - 1)).toBeLessThan(wallMs)
    }
    expect(gaps).toBe(timeZone === 'Australia/Lord_Howe' ? 1 : 2)
  },
)

test('the text of a local time is that of an international formatter', () => {
  const zones = ['UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Pacific/Apia', 'Asia/Kathmandu']
  const formatters = new Map(
    zones.map((timeZone) => [timeZone, new Intl.DateTimeFormat('sv-SE', { timeZone, ...parts })] as const),
  )
  const days = fc.constantFrom('2024-03-31', '2024-10-27', '2024-04-06', '2024-10-05', '2011-12-30', '2026-02-28')
  const ofDay = fc.integer({ min: -DAY_MS, max: 2 * DAY_MS })
  const property = fc.property(fc.constantFrom(...zones), days, ofDay, (timeZone, day, differenceMs) => {
    const atMs = Date.parse(day) + differenceMs
    expect(wallTimeText(timeZone, atMs)).toBe(formatters.get(timeZone)?.format(atMs))
  })
  fc.assert(property, { numRuns: 2000 })
})

const parts = {
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
} as const

test('the next run after a time is also the next run after each later time before that run', () => {
  const changes = [
    Date.UTC(2024, 2, 31, 1),
    Date.UTC(2024, 9, 27, 1),
    Date.UTC(2024, 3, 6, 15),
    Date.UTC(2024, 9, 5, 15, 30),
  ]
  const instant = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -2 * DAY_MS, max: DAY_MS }))
    .map(([changeMs, differenceMs]) => changeMs + differenceMs)
  const expressions = ['0 0 * * * ?', '0 0/20 1-3 * * ?', '0 30 2 * * ?', '0 45 1 * * ?', '0 0 0 L * ?', '30 * * * * ?']
  const zones = fc.constantFrom('Europe/Berlin', 'Australia/Lord_Howe')
  fc.assert(
    fc.property(
      fc.constantFrom(...expressions),
      zones,
      instant,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (...values) => {
        const [expression, timeZone, afterMs, part] = values
        const parsed = parseQuartz(expression)
        if (parsed.kind === 'refused') throw new Error(parsed.reason)
        const atMs = nextFire(parsed, afterMs, timeZone) ?? 0
        expect(atMs).toBeGreaterThan(afterMs)
        expect(nextFire(parsed, Math.floor(afterMs + part * (atMs - 1 - afterMs)), timeZone)).toBe(atMs)
        expect(nextFire(parsed, atMs - 1, timeZone)).toBe(atMs)
      },
    ),
    { numRuns: 500 },
  )
})

test.each([
  ['Europe/Berlin', true],
  ['europe/berlin', true],
  ['UTC', true],
  ['America/Argentina/Buenos_Aires', true],
  ['Europe/Bielefeld', false],
  ['+01:00', false],
  ['', false],
  ['GMT+1', false],
])('%s is a time zone: %s', (name, expected) => {
  expect(isTimeZone(name)).toBe(expected)
})

test('the cache creates each formatter once, and drops the oldest formatter when it is full', () => {
  const { DateTimeFormat } = Intl
  const created = vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(function create(...options) {
    return new DateTimeFormat(...options)
  })
  const winterMs = Date.UTC(2024, 0, 1)
  // No other test uses these zones.
  const asianZones = Intl.supportedValuesOf('timeZone').filter((name) => name.startsWith('Asia/'))
  const zones = asianZones.slice(0, limits.timeZonesMax + 1)
  const [oldest = '', second = ''] = zones
  const wallTimesMs = zones.map((timeZone) => wallTimeMs(timeZone, winterMs))
  created.mockClear()
  expect(wallTimeMs(second, winterMs)).toBe(wallTimesMs[1])
  expect(created).toHaveBeenCalledTimes(0)
  expect(wallTimeMs(oldest, winterMs)).toBe(wallTimesMs[0])
  expect(created).toHaveBeenCalledTimes(1)
  expect(zones.map((timeZone) => wallTimeMs(timeZone, winterMs))).toEqual(wallTimesMs)
  expect(new Set(wallTimesMs).size).toBeGreaterThan(5)
  created.mockRestore()
})
