import { expect, test } from 'vitest'
import { lastDueDay, lastScheduledDay, type PayoutSchedule } from './merchant-terms.ts'

test.each<[from: number, completeDay: number, delays: Record<number, number>, last: number]>([
  // The value date of a day has come when the day before it is complete.
  [10, 11, { 11: 2 }, 10],
  [10, 12, { 11: 2, 12: 2 }, 11],
  [10, 11, { 11: 1, 12: 1 }, 11],
  [10, 11, { 11: 0, 12: 0 }, 11],
  [10, 15, { 11: 2, 12: 2, 13: 2, 14: 2, 15: 2 }, 14],
  // A later day with a shorter delay waits for the earlier one.
  [10, 13, { 11: 5, 12: 1, 13: 1 }, 10],
  [10, 15, { 11: 5, 12: 1, 13: 1, 14: 1, 15: 1 }, 15],
  // A day that was due stays due when the calendar goes back.
  [10, 5, {}, 10],
  // The first time.
  [0, 20_000, {}, 20_000],
])('after %d, with the complete day %d and the delays %j, the last due day is %d', (from, complete, delays, last) => {
  expect(lastDueDay(from, complete, (day) => delays[day] ?? 0)).toBe(last)
})

const dayOf = (text: string) => Date.parse(`${text}T00:00:00Z`) / 86_400_000
test.each<[PayoutSchedule, day: string, last: string | undefined]>([
  ['manual', '2026-11-28', undefined],
  ['daily', '2026-11-28', '2026-11-28'],
  ['weekly', '2026-11-28', '2026-11-23'],
  ['weekly', '2026-11-23', '2026-11-23'],
  ['monthly', '2026-10-31', '2026-10-01'],
  ['monthly', '2026-11-01', '2026-11-01'],
])('%s on %s: %s', (schedule, day, last) => {
  expect(lastScheduledDay(schedule, dayOf(day))).toBe(last === undefined ? undefined : dayOf(last))
})
