import { DAY_MS, HOUR_MS } from '@tollgate/contract'
import { dayAt } from '../day.ts'
import { wallTimeMs } from '../time-zone.ts'

/** The time of day from which the file of the day before is delivered. */
export interface DailySchedule {
  /** From 0 to 23, local time. */
  readonly hour: number
  /** The name of a time zone (IANA). */
  readonly timeZone: string
}

/**
 * The last day, yyyy-MM-dd in local time, whose file is due: from the hour of the schedule on it is yesterday, earlier
 * the day before yesterday. If the clocks go back over the hour, the answer may step back for that time.
 *
 * @param atMs epoch milliseconds
 */
export const dueDayOf = ({ hour, timeZone }: DailySchedule, atMs: number): string =>
  dayAt(wallTimeMs(timeZone, atMs) - hour * HOUR_MS - DAY_MS)

/** The local day, yyyy-MM-dd, of a time (epoch milliseconds). */
export const localDayOf = ({ timeZone }: Pick<DailySchedule, 'timeZone'>, atMs: number): string =>
  dayAt(wallTimeMs(timeZone, atMs))
