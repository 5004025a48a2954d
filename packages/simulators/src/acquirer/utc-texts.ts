import { DAY_MS } from '@tollgate/contract'

const two = (value: number): string => String(value).padStart(2, '0')

/** YYMM in UTC. */
export function yearAndMonthOf(nowMs: number): string {
  const now = new Date(nowMs)
  return `${two(now.getUTCFullYear() % 100)}${two(now.getUTCMonth() + 1)}`
}

/** The beginning of a retrieval reference number: `YDDDhh`, the last digit of the year, its day, and the hour. */
export function hourOf(nowMs: number): string {
  const now = new Date(nowMs)
  const day = Math.floor((nowMs - Date.UTC(now.getUTCFullYear(), 0, 1)) / DAY_MS) + 1
  return `${now.getUTCFullYear() % 10}${String(day).padStart(3, '0')}${two(now.getUTCHours())}`
}
