import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tollgate/contract'
import { limits } from '../limits.ts'
import { addMonths } from '../add-months.ts'
import { instantMs, wallTimeMs } from '../time-zone.ts'

/** A number of units of time, such as 3 MONTH. */
export interface Span {
  readonly unit: SpanUnit
  /** A whole number, at most `spanMax` of the unit: a hundred years. */
  readonly number: number
}

/**
 * The units of `job.noticeUnit` and `job.durationUnit`. Units of months and days follow the local calendar, in which a
 * day has 23 or 25 hours if daylight saving time begins or ends; the smaller units are constant lengths.
 */
const units = {
  YEAR: { base: 'months', length: 12 },
  MONTH: { base: 'months', length: 1 },
  WEEK: { base: 'days', length: 7 },
  DAY: { base: 'days', length: 1 },
  HOUR: { base: 'milliseconds', length: HOUR_MS },
  MINUTE: { base: 'milliseconds', length: MINUTE_MS },
  SECOND: { base: 'milliseconds', length: 1_000 },
} as const

export type SpanUnit = keyof typeof units

export const isSpanUnit = (text: string): text is SpanUnit => Object.hasOwn(units, text)

/** The largest accepted number of a unit. */
export const spanMax = (unit: SpanUnit): number => limits.spanMax[unit]

/**
 * Adds a number of spans to an instant (negative: subtracts), all counted from the start: three times a month after
 * 31 January is 30 April, not 28 April.
 */
export function addSpans(fromMs: number, { unit, number }: Span, times: number, timeZone: string): number {
  const { base, length } = units[unit]
  const count = number * length * times
  switch (base) {
    case 'months':
      return instantMs(timeZone, addMonths(wallTimeMs(timeZone, fromMs), count))
    case 'days':
      return instantMs(timeZone, wallTimeMs(timeZone, fromMs) + count * DAY_MS)
    case 'milliseconds':
      return fromMs + count
  }
}
