import { DAY_MS, MINUTE_MS } from '@tollgate/contract'
import { instantMs, wallTimeMs } from '../time-zone.ts'

/** The time of day at which the business day of an acquirer ends, and its zone. */
export interface CutOff {
  /** Minutes since midnight, local time. 0: the business day is the calendar day. */
  readonly minutes: number
  /** The name of a time zone (IANA). */
  readonly timeZone: string
}

/** The cut-off of acquirers that state none. */
export const midnightUtc: CutOff = { minutes: 0, timeZone: 'UTC' }

/**
 * The business day of a time, in days since 1970. A day with a cut-off in the evening has the date on which it ends. A
 * cut-off at a time that the clocks repeat is the later of both.
 *
 * @param atMs epoch milliseconds
 */
export function businessDayOf(cutOff: CutOff, atMs: number): number {
  const { minutes, timeZone } = cutOff
  const wallMs = wallTimeMs(timeZone, atMs)
  const day = Math.floor((wallMs - minutes * MINUTE_MS) / DAY_MS) + (minutes === 0 ? 0 : 1)
  return timeZone !== 'UTC' && atMs < endOfBusinessDay(cutOff, day - 1) ? day - 1 : day
}

/** The end of a business day, epoch milliseconds. */
export function endOfBusinessDay({ minutes, timeZone }: CutOff, day: number): number {
  const lastDay = minutes === 0 ? day + 1 : day
  return instantMs(timeZone, lastDay * DAY_MS + minutes * MINUTE_MS)
}

/**
 * The business day with a month and a day of the month, as messages state them without the year: the nearest one to a
 * time.
 *
 * @param monthAndDay MMDD
 * @param nearDay days since 1970
 * @returns undefined: there is no such date
 */
export function dayNear(monthAndDay: string, nearDay: number): number | undefined {
  const [month, date] = [Number(monthAndDay.slice(0, 2)), Number(monthAndDay.slice(2))]
  const year = new Date(nearDay * DAY_MS).getUTCFullYear()
  const distance = (day: number): number => Math.abs(day - nearDay)
  const dates = [year - 1, year, year + 1].map((each) => new Date(Date.UTC(each, month - 1, date)))
  const valid = dates.filter((each) => each.getUTCMonth() === month - 1 && each.getUTCDate() === date)
  return valid.map((each) => each.getTime() / DAY_MS).toSorted((a, b) => distance(a) - distance(b))[0]
}
