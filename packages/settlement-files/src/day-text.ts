import { isCalendarDate } from '@tollgate/contract'
import { limits } from './limits.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Whether a text is a day of the Gregorian calendar from 1970, yyyy-MM-dd. */
export const isDay = (text: string): boolean => DAY.test(text) && text >= '1970' && isCalendarDate(text)

const TIME = /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

const isTime = (atMs: number): boolean => Number.isSafeInteger(atMs) && atMs >= 0 && atMs <= limits.timeMaxMs

/**
 * Parses a time with its offset from UTC (RFC 3339), from 1970. A leap second is no time.
 * @returns epoch milliseconds, rounded down; undefined if the text is no such time
 */
export function parseTime(text: string): number | undefined {
  const [, date] = TIME.exec(text) ?? []
  if (date === undefined || !isDay(date)) return undefined
  const atMs = Date.parse(text)
  return isTime(atMs) ? atMs : undefined
}

/** Writes epoch milliseconds as a time in UTC; undefined if it is before 1970 or after the year 9999. */
export const formatTime = (atMs: number): string | undefined =>
  isTime(atMs) ? new Date(atMs).toISOString().replace('.000Z', 'Z') : undefined
