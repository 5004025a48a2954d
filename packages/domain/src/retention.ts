import { limits } from './limits.ts'

/** An account whose number is kept, and since when. */
export interface KeptAccount {
  /** When it was last used: epoch milliseconds. */
  readonly atMs: number
  /** 01 to 12; null for an account that does not expire. */
  readonly expiryMonth: string | null
  /** Four digits. */
  readonly expiryYear: string | null
}

const DAY_MS = 86_400_000

/**
 * When the number of an account is to be erased, epoch milliseconds: 14 months after the card expires, or where nothing
 * expires after the last use; or so many days after the last use, where an operator has set them.
 *
 * @param retentionDays whole days
 */
export function retentionEndsAtMs(account: KeptAccount, retentionDays?: number): number {
  const { atMs, expiryMonth, expiryYear } = account
  if (retentionDays !== undefined) return atMs + retentionDays * DAY_MS
  // The month after the one that is on the card begins when the card ends.
  if (expiryMonth && expiryYear) return Date.UTC(Number(expiryYear), Number(expiryMonth) + limits.retentionMonths)
  const end = new Date(atMs)
  return end.setUTCMonth(end.getUTCMonth() + limits.retentionMonths)
}
