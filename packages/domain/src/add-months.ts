import { DAY_MS } from '@tollgate/contract'

/** The same day and time in UTC, `months` later (negative: earlier); the last day of a month that is too short. */
export function addMonths(fromMs: number, months: number): number {
  const from = new Date(fromMs)
  const [year, month, day] = [from.getUTCFullYear(), from.getUTCMonth() + months, from.getUTCDate()]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(day, lastDay)) + (fromMs - Math.floor(fromMs / DAY_MS) * DAY_MS)
}
