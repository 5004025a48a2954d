import { DAY_MS, MINUTE_MS } from '@tollgate/contract'
import { instantMs, isTimeZone, wallTimeMs } from '@tollgate/domain'

/** The local time at which a business day ends. 00:00 is the end of the calendar day. */
export interface CutOff {
  /** HH:mm. */
  readonly time: string
  /** IANA, such as `Europe/Berlin`. */
  readonly timeZone: string
}

export const midnightInUtc: CutOff = { time: '00:00', timeZone: 'UTC' }

/** The business days of a cut-off. Days are yyyy-MM-dd. */
export interface BusinessDays {
  /** The business day of an instant: after 18:00 that of the next calendar day, if the cut-off is 18:00. */
  dayOf(atMs: number): string
  /** The first instant after a business day, epoch milliseconds. */
  endOf(day: string): number
}

/** Why a cut-off cannot be used. */
export function cutOffProblem({ time, timeZone }: CutOff): string | undefined {
  if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(time)) return 'the cut-off must be a time HH:mm'
  return isTimeZone(timeZone) ? undefined : 'the time zone of the cut-off is not known'
}

/** @throws RangeError if the time or the time zone does not exist */
export function createBusinessDays(cutOff: CutOff): BusinessDays {
  const problem = cutOffProblem(cutOff)
  if (problem !== undefined) throw new RangeError(problem)
  const { time, timeZone } = cutOff
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const cutOffMs = (60 * hours + minutes) * MINUTE_MS || DAY_MS
  const endOf = (day: string): number => instantMs(timeZone, Date.parse(day) + cutOffMs)
  /** The last result: looking up the time zone takes longer than the rest of a message. */
  let last = { day: '', fromMs: 0, untilMs: 0 }
  return {
    dayOf(atMs) {
      if (atMs >= last.fromMs && atMs < last.untilMs) return last.day
      const localDay = new Date(wallTimeMs(timeZone, atMs)).toISOString().slice(0, 10)
      // A local time that clocks repeat belongs to the day that ends at its second occurrence.
      const day = [addDays(localDay, -1), localDay].find((candidate) => atMs < endOf(candidate)) ?? addDays(localDay, 1)
      last = { day, fromMs: endOf(addDays(day, -1)), untilMs: endOf(day) }
      return day
    },
    endOf,
  }
}

/** A number of calendar days after a day, yyyy-MM-dd. */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10)

/** Field 15, MMDD. */
export const monthAndDayOf = (day: string): string => `${day.slice(5, 7)}${day.slice(8, 10)}`

/** The day that field 15 names: of all years, the one nearest to a day. @returns undefined if no such day exists */
export function dayNear(monthAndDay: string, day: string): string | undefined {
  const distanceOf = (candidate: string): number => Math.abs(Date.parse(candidate) - Date.parse(day))
  const [month, date] = [monthAndDay.slice(0, 2), monthAndDay.slice(2)]
  return [-1, 0, 1]
    .map((years) => `${Number(day.slice(0, 4)) + years}-${month}-${date}`)
    .filter((candidate) => !Number.isNaN(Date.parse(candidate)) && addDays(candidate, 0) === candidate)
    .toSorted((one, other) => distanceOf(one) - distanceOf(other))[0]
}
