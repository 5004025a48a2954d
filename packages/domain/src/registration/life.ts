import { limits } from '../limits.ts'

const DAY_MS = 86_400_000

/** What the life of a registration is reckoned from. */
export interface Life {
  /** When the account itself ends, as a card does; null for one without an end. */
  readonly accountEndsAtMs: number | null
  /** When it was last used, its making included. */
  readonly usedAtMs: number
  readonly extended: boolean
}

/**
 * When a registration ends: 14 months after its card, or after the last use of an account that does not end by itself;
 * 24 months once its life was extended.
 *
 * @returns epoch milliseconds
 */
export function expiresAtMs({ accountEndsAtMs, usedAtMs, extended }: Life): number {
  return monthsAfter(accountEndsAtMs ?? usedAtMs, extended ? limits.extendedRetentionMonths : limits.retentionMonths)
}

/** The same time of day so many months later, in a month without the day its last one. */
function monthsAfter(fromMs: number, months: number): number {
  const from = new Date(fromMs)
  const [year, month, day] = [from.getUTCFullYear(), from.getUTCMonth() + months, from.getUTCDate()]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(day, lastDay)) + (fromMs % DAY_MS)
}
