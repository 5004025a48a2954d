import { describe, expect, it } from 'vitest'
import { hasCome, isOver } from './day.ts'

const at = (time: string) => Date.parse(`${time}:00Z`)

describe('a day of the calendar', () => {
  it.each<[day: string | undefined, time: string, come: boolean, over: boolean]>([
    ['2026-05-04', '2026-05-03T09:59', false, false],
    // On the first islands of Kiribati, at UTC+14.
    ['2026-05-04', '2026-05-03T10:00', true, false],
    ['2026-05-04', '2026-05-04T23:59', true, false],
    ['2026-05-04', '2026-05-05T11:59', true, false],
    // On Baker Island, at UTC−12.
    ['2026-05-04', '2026-05-05T12:00', true, true],
    ['2026-12-31', '2027-01-01T11:59', true, false],
    ['2026-12-31', '2027-01-01T12:00', true, true],
    [undefined, '2026-05-04T12:00', true, false],
  ])('%s, at %s: come %s, over %s', (day, time, come, over) => {
    expect([hasCome(day, at(time)), isOver(day, at(time))]).toEqual([come, over])
  })
})
