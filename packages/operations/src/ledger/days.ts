import { DAY_MS } from '@tollgate/contract'
import { dayAt } from '@tollgate/domain'

// Days are numbers: days since 1970. Reports write them as yyyy-MM-dd.

/** The day of an instant in UTC, epoch milliseconds. */
export const dayOf = (atMs: number): number => Math.floor(atMs / DAY_MS)

/** The beginning of a day, epoch milliseconds. */
const startOf = (day: number): number => day * DAY_MS

export const dayText = (day: number): string => dayAt(startOf(day))

const DAY = /^[12]\d{3}-\d{2}-\d{2}$/
const MONTH = /^[12]\d{3}-\d{2}$/

/** The day of a text of the form yyyy-MM-dd; undefined for another form, or a day that does not exist. */
export function dayIn(text: string): number | undefined {
  const atMs = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  // Date.parse accepts the 30th of February as a day of March.
  return Number.isNaN(atMs) || dayText(dayOf(atMs)) !== text ? undefined : dayOf(atMs)
}

/** Days from the first to the last, inclusive. */
export interface DayRange {
  readonly fromDay: number
  readonly toDay: number
}

/** The days of a month of the form yyyy-MM; undefined for another text. */
export function monthIn(text: string): DayRange | undefined {
  if (!MONTH.test(text)) return undefined
  const fromDay = dayIn(`${text}-01`)
  if (fromDay === undefined) return undefined
  const start = new Date(startOf(fromDay))
  return { fromDay, toDay: dayOf(start.setUTCMonth(start.getUTCMonth() + 1)) - 1 }
}

/** The range in parts of at most `max` days, in order. */
export function* partsOf({ fromDay, toDay }: DayRange, max: number): Generator<DayRange> {
  for (let start = fromDay; start <= toDay; start += max)
    yield { fromDay: start, toDay: Math.min(start + max - 1, toDay) }
}
