import { limits } from '../limits.ts'
import { monthsAfter } from '../months-after.ts'

/** The facts that determine the end of a registration. */
export interface Life {
  /** When the account itself ends, as a card does; null for one without an end. */
  readonly accountEndsAtMs: number | null
  /** Its last use; its creation counts. */
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
