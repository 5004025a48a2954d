import { DAY_MS, SECOND_MS } from '@tollgate/contract'
import { limits } from './limits.ts'
import { firstWhere } from './first-where.ts'

/** A time zone, with the last day (UTC, days since 1970) on which its clocks did not change. */
interface Zone {
  readonly formatter: Intl.DateTimeFormat
  steadyDay: number
  steadyOffsetMs: number
}

/** Cached zones, newest last: creating a formatter costs as much as dozens of its calls. */
const zones = new Map<string, Zone>()

/** @throws {RangeError} for a zone that does not exist */
function zoneOf(timeZone: string): Zone {
  const cached = zones.get(timeZone)
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
  const [oldest] = zones.keys()
  if (oldest !== undefined && zones.size >= limits.timeZonesMax) zones.delete(oldest)
  const zone = { formatter, steadyDay: Number.NaN, steadyOffsetMs: 0 }
  zones.set(timeZone, zone)
  return zone
}

/** Whether a text is the name of a time zone (IANA, such as `Europe/Berlin`; case does not matter). */
export function isTimeZone(name: string): boolean {
  // Newer JavaScript engines also accept offsets such as +01:00. They are refused: an offset is not the name of a zone.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    zoneOf(name)
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

/** The local time at an instant, yyyy-MM-dd HH:mm:ss. @throws {RangeError} for a zone that does not exist */
export function wallTimeText(timeZone: string, atMs: number): string {
  const wallMs = atMs + steadyOffsetMs(timeZone, atMs)
  const day = Math.floor(wallMs / DAY_MS)
  if (day !== lastDay.day) lastDay = { day, text: new Date(day * DAY_MS).toISOString().slice(0, DAY_CHARS) }
  const seconds = Math.floor((wallMs - day * DAY_MS) / SECOND_MS)
  const minutes = Math.floor(seconds / 60)
  return `${lastDay.text} ${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}`
}

const DAY_CHARS = 10
/** The last day that was written: many rows of a file are of one day. */
let lastDay = { day: Number.NaN, text: '' }
const twoDigits: readonly string[] = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

/** As `offsetMs`, faster for many instants of one day. */
function steadyOffsetMs(timeZone: string, atMs: number): number {
  if (timeZone === 'UTC') return 0
  const zone = zoneOf(timeZone)
  const day = Math.floor(atMs / DAY_MS)
  if (day === zone.steadyDay) return zone.steadyOffsetMs
  const firstMs = offsetMs(timeZone, day * DAY_MS)
  if (firstMs !== offsetMs(timeZone, (day + 1) * DAY_MS)) return offsetMs(timeZone, atMs)
  zone.steadyDay = day
  zone.steadyOffsetMs = firstMs
  return firstMs
}

/** Offset of the zone from UTC; positive to the east. */
function offsetMs(timeZone: string, atMs: number): number {
  if (timeZone === 'UTC') return 0
  const wholeMs = Math.floor(atMs / SECOND_MS) * SECOND_MS
  const shown = zoneOf(timeZone).formatter.format(wholeMs).match(/\d+/g)
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
