import { describe, expect, it } from 'vitest'
import { addDays, daysBetween, hasBegun, hasEnded } from './day.ts'

const parse = (time: string) => Date.parse(`${time}:00Z`)

describe('a calendar day', () => {
  it.each<[day: string | undefined, time: string, begun: boolean, ended: boolean]>([
    ['2026-05-04', '2026-05-03T09:59', false, false],
    // The day begins in the Line Islands (Kiribati), at UTC+14.
    ['2026-05-04', '2026-05-03T10:00', true, false],
    ['2026-05-04', '2026-05-04T23:59', true, false],
    ['2026-05-04', '2026-05-05T11:59', true, false],
    // The day ends on Baker Island, at UTC−12.
    ['2026-05-04', '2026-05-05T12:00', true, true],
    ['2026-12-31', '2027-01-01T11:59', true, false],
    ['2026-12-31', '2027-01-01T12:00', true, true],
    [undefined, '2026-05-04T12:00', true, false],
  ])('%s at %s has begun: %s, has ended: %s', (day, time, begun, ended) => {
    expect([hasBegun(day, parse(time)), hasEnded(day, parse(time))]).toEqual([begun, ended])
  })
})

describe('days', () => {
  it.each([
    ['2026-02-28', 1, '2026-03-01'],
    ['2028-02-28', 1, '2028-02-29'],
    ['2026-12-31', 45, '2027-02-14'],
    ['2026-03-29', 0, '2026-03-29'],
    ['2026-01-01', -1, '2025-12-31'],
  ])('%s and %i days are %s', (day, days, end) => {
    expect(addDays(day, days)).toBe(end)
    expect(daysBetween(day, end)).toBe(days)
  })
})
