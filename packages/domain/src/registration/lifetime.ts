import { limits } from '../limits.ts'
import { addMonths } from '../add-months.ts'

/** The facts that determine the expiry of a registration. */
export interface Lifetime {
  /** Expiry of the account itself, such as a card; null for an account without an expiry. */
  readonly accountExpiresAtMs: number | null
  /** Time of the last use, or of the creation. */
  readonly usedAtMs: number
  readonly extended: boolean
}

/**
 * The expiry of a registration: 14 months after the expiry of its card, or after the last use of an account without an
 * expiry; 24 months if it was extended.
 *
 * @returns epoch milliseconds
 */
export function expiresAtMs({ accountExpiresAtMs, usedAtMs, extended }: Lifetime): number {
  return addMonths(accountExpiresAtMs ?? usedAtMs, extended ? limits.extendedRetentionMonths : limits.retentionMonths)
}
