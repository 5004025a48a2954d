import { ManageError } from './manage-error.ts'

/** Formats an instant for operators as ISO 8601; undefined without an instant. */
export const timeOf = (atMs: number | null | undefined): string | undefined =>
  typeof atMs === 'number' ? new Date(atMs).toISOString() : undefined

/** An instant of ISO 8601, to the second or the millisecond, in UTC. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z$/

/**
 * Parses an instant into epoch milliseconds.
 *
 * @param name the name of the value, for the error
 * @throws ManageError if the instant is invalid, such as the 30th of February, which `Date` parses as a day of March
 */
export function instantOf(text: string, name: string): number {
  const atMs = INSTANT.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(atMs) && timeOf(atMs)?.slice(0, 19) === text.slice(0, 19)) return atMs
  throw new ManageError(400, `${name} must be an instant in UTC such as 2027-01-31T12:00:00Z.`)
}
