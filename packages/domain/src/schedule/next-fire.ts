import { DAY_MS, SECOND_MS } from '@tollgate/contract'
import type { DayOfMonth, Days, Quartz } from './quartz.ts'
import { instantMs, lastWallTimeMs } from '../time-zone.ts'

/**
 * The next time at which an expression fires: instead of a local time that does not exist, at the first instant after
 * the clock change; for a local time that occurs twice, once, at the later instant.
 *
 * @param afterMs epoch milliseconds, exclusive
 * @param timeZone a name for which `isTimeZone` returns true
 * @returns epoch milliseconds, a whole second; undefined if it does not fire again up to the end of 2099
 * @throws {RangeError} for a zone that does not exist
 */
export function nextFire(expression: Quartz, afterMs: number, timeZone = 'UTC'): number | undefined {
  const wallMs = nextWallTimeMs(expression, lastWallTimeMs(timeZone, afterMs))
  return wallMs === undefined ? undefined : instantMs(timeZone, wallMs)
}

/** The first local time of an expression after the local time `afterWallMs`, searched from the year to the second. */
function nextWallTimeMs(expression: Quartz, afterWallMs: number): number | undefined {
  const fromMs = (Math.floor(afterWallMs / SECOND_MS) + 1) * SECOND_MS
  const todayMs = Math.floor(fromMs / DAY_MS) * DAY_MS
  for (const year of expression.years) {
    if (Date.UTC(year + 1, 0) <= fromMs) continue
    for (const month of expression.months) {
      if (Date.UTC(year, month) <= fromMs) continue
      for (const day of daysIn(expression.days, year, month)) {
        const dayMs = Date.UTC(year, month - 1, day)
        if (dayMs < todayMs) continue
        const second = secondOfDay(expression, dayMs === todayMs ? (fromMs - todayMs) / SECOND_MS : 0)
        if (second !== undefined) return dayMs + second * SECOND_MS
      }
    }
  }
  return undefined
}

/** The first second of a day, at or after `from`, that the expression contains. */
function secondOfDay({ hours, minutes, seconds }: Quartz, from: number): number | undefined {
  for (const hour of hours) {
    if ((hour + 1) * 3600 <= from) continue
    for (const minute of minutes) {
      const minuteStart = hour * 3600 + minute * 60
      if (minuteStart + 60 <= from) continue
      const second = seconds.find((candidate) => minuteStart + candidate >= from)
      if (second !== undefined) return minuteStart + second
    }
  }
  return undefined
}

/** The days of one month. */
interface Month {
  readonly lastDay: number
  /** From 1, Sunday, to 7. */
  readonly weekdayOf: (day: number) => number
}

/** The days of a month that the expression contains, ascending. */
function daysIn(days: Days, year: number, month: number): readonly number[] {
  const firstDay = new Date(Date.UTC(year, month - 1, 1)).getUTCDay()
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const thisMonth: Month = { lastDay, weekdayOf: (day) => ((firstDay + day - 1) % 7) + 1 }
  const all = Array.from({ length: lastDay }, (_, index) => index + 1)
  if (days.kind === 'ofMonth') {
    const matching = new Set(days.days.map((day) => dayOfMonth(day, thisMonth)))
    return all.filter((day) => matching.has(day))
  }
  const { weekdays, occurrence } = days
  const matching = all.filter((day) => weekdays.includes(thisMonth.weekdayOf(day)))
  if (occurrence === 'every') return matching
  return matching.slice(occurrence === 'last' ? -1 : occurrence - 1).slice(0, 1)
}

/** The number of the day; undefined in a month that is too short for it. */
function dayOfMonth({ from, day, nearestWeekday }: DayOfMonth, { lastDay, weekdayOf }: Month): number | undefined {
  const dayNumber = from === 'first' ? day : lastDay - day
  if (dayNumber < 1 || dayNumber > lastDay) return undefined
  const weekday = weekdayOf(dayNumber)
  if (!nearestWeekday || (weekday !== 1 && weekday !== 7)) return dayNumber
  // Friday for a Saturday and Monday for a Sunday, but always in the same month.
  if (weekday === 7) return dayNumber === 1 ? 3 : dayNumber - 1
  return dayNumber === lastDay ? dayNumber - 2 : dayNumber + 1
}
