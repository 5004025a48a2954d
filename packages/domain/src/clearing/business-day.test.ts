import { DAY_MS } from '@tollgate/contract'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { businessDayOf, dayNear, endOfBusinessDay } from './business-day.ts'

const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)
const dayOf = (date: string) => Date.parse(date) / DAY_MS
const midnight = { minutes: 0, timeZone: 'UTC' }
const evening = { minutes: 22 * 60 + 30, timeZone: 'Europe/Berlin' }

test.each([
  [midnight, '2026-11-27T23:59:59.999Z', '2026-11-27'],
  [midnight, '2026-11-28T00:00:00Z', '2026-11-28'],
  [evening, '2026-11-27T21:29:59.999Z', '2026-11-27'],
  [evening, '2026-11-27T21:30:00Z', '2026-11-28'],
  // In summer, 22:30 in Berlin is an hour earlier.
  [evening, '2026-07-01T20:30:00Z', '2026-07-02'],
  [{ minutes: 0, timeZone: 'Pacific/Auckland' }, '2026-11-27T11:00:00Z', '2026-11-28'],
  // 02:30 occurs twice on this day: at 00:30 and at 01:30 UTC.
  [{ minutes: 150, timeZone: 'Europe/Berlin' }, '2026-10-25T00:45:00Z', '2026-10-25'],
  [{ minutes: 150, timeZone: 'Europe/Berlin' }, '2026-10-25T01:30:00Z', '2026-10-26'],
])('with the cut-off %j, %s belongs to %s', (cutOff, at, date) => {
  expect(dateOf(businessDayOf(cutOff, Date.parse(at)))).toBe(date)
})

test.each([
  [midnight, '2026-11-27', '2026-11-28T00:00:00.000Z'],
  [evening, '2026-11-27', '2026-11-27T21:30:00.000Z'],
  [evening, '2026-07-01', '2026-07-01T20:30:00.000Z'],
  // 02:30 does not exist on this day: the first time after the change.
  [{ minutes: 150, timeZone: 'Europe/Berlin' }, '2026-03-29', '2026-03-29T01:00:00.000Z'],
])('with the cut-off %j, %s ends at %s', (cutOff, date, end) => {
  expect(new Date(endOfBusinessDay(cutOff, dayOf(date))).toISOString()).toBe(end)
})

test('each time is before the end of its business day, and not before the end of the day before', () => {
  const cutOffs = fc.record({
    minutes: fc.integer({ min: 0, max: 1439 }),
    timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'),
  })
  const changes = fc.integer({ min: Date.UTC(2026, 9, 24), max: Date.UTC(2026, 9, 27) })
  const times = fc.oneof(fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2027, 0) }), changes)
  fc.assert(
    fc.property(cutOffs, times, (cutOff, atMs) => {
      const day = businessDayOf(cutOff, atMs)
      expect(atMs).toBeLessThan(endOfBusinessDay(cutOff, day))
      expect(atMs).toBeGreaterThanOrEqual(endOfBusinessDay(cutOff, day - 1))
    }),
  )
})

test.each([
  ['1127', '2026-11-28', '2026-11-27'],
  ['0101', '2026-12-31', '2027-01-01'],
  ['1231', '2027-01-01', '2026-12-31'],
  ['0229', '2024-03-01', '2024-02-29'],
])('the day %s near %s is %s', (monthAndDay, near, date) => {
  expect(dateOf(dayNear(monthAndDay, dayOf(near)) ?? 0)).toBe(date)
})

test.each(['0231', '1301', '0000', 'abcd'])('%s is no date', (text) => {
  expect(dayNear(text, dayOf('2026-11-27'))).toBeUndefined()
})
