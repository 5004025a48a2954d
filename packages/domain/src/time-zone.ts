import { DAY_MS, SECOND_MS } from '@tollgate/contract'
import { limits } from './limits.ts'
import { firstWhere } from './first-where.ts'

/** Cached formatters, newest last: creating a formatter costs as much as dozens of its calls. */
const formatters = new Map<string, Intl.DateTimeFormat>()

/** @throws {RangeError} for a zone that does not exist */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const cached = formatters.get(timeZone)
  if (cached) return cached
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const [oldest] = formatters.keys()
  if (oldest !== undefined && formatters.size >= limits.timeZonesMax) formatters.delete(oldest)
  formatters.set(timeZone, formatter)
  return formatter
}

/** Whether a text is the name of a time zone (IANA, such as `Europe/Berlin`; case does not matter). */
export function isTimeZone(name: string): boolean {
  // Newer JavaScript engines also accept offsets such as +01:00. They are refused: an offset is not the name of a zone.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    formatterOf(name)
    return true
  } catch {
    return false
  }
}

/**
 * The local time at an instant, as the epoch milliseconds at which a clock in UTC shows it.
 *
 * @throws {RangeError} for a zone that does not exist
 */
export const wallTimeMs = (timeZone: string, atMs: number): number => atMs + offsetMs(timeZone, atMs)

/** Offset of the zone from UTC; positive to the east. */
function offsetMs(timeZone: string, atMs: number): number {
  if (timeZone === 'UTC') return 0
  const wholeMs = Math.floor(atMs / SECOND_MS) * SECOND_MS
  const shown = formatterOf(timeZone).format(wholeMs).match(/\d+/g)
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = shown?.map(Number) ?? []
  return Date.UTC(year, month - 1, day, hour, minute, second) - wholeMs
}

/**
 * The instant of a local time. A skipped time becomes the first instant after the change, so that no run is lost; a
 * repeated time means the later instant, so that no run is made twice.
 *
 * @param wallMs as `wallTimeMs` returns it
 */
export function instantMs(timeZone: string, wallMs: number): number {
  const before = offsetMs(timeZone, wallMs - DAY_MS)
  const after = offsetMs(timeZone, wallMs + DAY_MS)
  if (before === after || offsetMs(timeZone, wallMs - after) === after) return wallMs - after
  if (offsetMs(timeZone, wallMs - before) === before) return wallMs - before
  return changeMs(timeZone, wallMs - after, wallMs - before)
}

/**
 * The last local time that does not occur again after an instant: the current local time, or, if that will be repeated,
 * the time just before the repeated period.
 */
export function lastWallTimeMs(timeZone: string, atMs: number): number {
  const wallMs = wallTimeMs(timeZone, atMs)
  const againAtMs = instantMs(timeZone, wallMs)
  return againAtMs === atMs ? wallMs : wallTimeMs(timeZone, changeMs(timeZone, atMs, againAtMs)) - 1
}

/** The instant of the clock change after `fromMs` and up to `untilMs`. */
function changeMs(timeZone: string, fromMs: number, untilMs: number): number {
  const before = offsetMs(timeZone, fromMs)
  const isAfterChange = (second: number): boolean => offsetMs(timeZone, second * SECOND_MS) !== before
  return firstWhere(Math.floor(fromMs / SECOND_MS), Math.ceil(untilMs / SECOND_MS), isAfterChange) * SECOND_MS
}
