import { DAY_MS } from '@tollgate/contract'
import { limits } from './limits.ts'

// Calendar days, yyyy-MM-dd, without a time zone: each begins at UTC+14 and ends at UTC−12. An absent day has begun and
// has not ended.

/** The day of an instant (epoch milliseconds) in UTC. */
export const dayAt = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10)

/** Whether a day has begun somewhere on Earth. */
export const hasBegun = (day: string | undefined, nowMs: number): boolean =>
  day === undefined || day <= dayAt(nowMs + limits.utcAheadMaxMs)

/** Whether a day has ended everywhere on Earth. */
export const hasEnded = (day: string | undefined, nowMs: number): boolean =>
  day !== undefined && day < dayAt(nowMs - limits.utcBehindMaxMs)

/** @param days may be negative */
export const addDays = (day: string, days: number): string => dayAt(Date.parse(day) + days * DAY_MS)

/** The days from one day to another; negative if `to` is earlier. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS
