import { describe, expect, it } from 'vitest'
import { hasBegun, hasEnded } from './day.ts'

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
