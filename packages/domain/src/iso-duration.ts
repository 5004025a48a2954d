import { DAY_MS } from '@tollgate/contract'
import { addMonths } from './add-months.ts'

const part = (letter: string): string => `(?:(\\d{1,9})${letter})?`

/** Dates reach 100,000,000 days beyond 1970 (ECMAScript, Time Values). */
const LAST_DATE_MS = 100_000_000 * DAY_MS

/** A date part and a time part. Either may be absent, but not both, and at least one number follows the T. */
const pattern = new RegExp(`^P(?!$)${'YMWD'.replace(/./g, part)}(?:T(?!$)${'HMS'.replace(/./g, part)})?$`)

/**
 * Adds a duration to a time, in UTC. Months are calendar months: a month after 31 January is the last day of February.
 *
 * @param duration ISO 8601, whole numbers only: `P1M`, `P2W`, `P1DT12H`, `PT90S`
 * @returns epoch milliseconds; undefined for other texts; Infinity for a time beyond the range of dates
 */
export function addDuration(fromMs: number, duration: string): number | undefined {
  const match = pattern.exec(duration)
  if (!match) return undefined
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((digits?: string) => Number(digits ?? 0))
  const wholeDays = weeks * 7 + days
  const atMs =
    addMonths(fromMs, years * 12 + months) + (((wholeDays * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
  return atMs <= LAST_DATE_MS ? atMs : Number.POSITIVE_INFINITY
}
