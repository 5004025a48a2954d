import { limits } from './limits.ts'

// Days of the calendar, yyyy-MM-dd. They bear no zone: each begins in the east and ends in the west of the Earth. One
// that was not named stands against nothing: it has come, and is not over.

/** Whether a day has come: somewhere on Earth it is already that date. */
export const hasCome = (day: string | undefined, nowMs: number): boolean =>
  day === undefined || day <= dayAt(nowMs + limits.dateAheadMs)

/** Whether a day has ended everywhere on Earth. */
export const isOver = (day: string | undefined, nowMs: number): boolean =>
  day !== undefined && day < dayAt(nowMs - limits.dateBehindMs)

const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
