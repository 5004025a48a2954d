import { DAY_MS } from '@tollgate/contract'

/** The same time of day in UTC so many months later (earlier, if negative); in a month without the day its last one. */
export function monthsAfter(fromMs: number, months: number): number {
  const from = new Date(fromMs)
  const [year, month, day] = [from.getUTCFullYear(), from.getUTCMonth() + months, from.getUTCDate()]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(day, lastDay)) + (fromMs - Math.floor(fromMs / DAY_MS) * DAY_MS)
}
