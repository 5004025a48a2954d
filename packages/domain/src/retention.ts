import { DAY_MS } from '@tollgate/contract'
import { expiresAtMs, type Lifetime } from './registration/lifetime.ts'

/**
 * Whether the number of an account may be erased: its retention has ended, and no message to an acquirer is open whose
 * repeats contain the number.
 */
export const mayEraseNumber = (
  { endsAtMs, hasOpenMessage }: { readonly endsAtMs: number; readonly hasOpenMessage: boolean },
  atMs: number,
): boolean => endsAtMs <= atMs && !hasOpenMessage

/**
 * The time at which the account number of a payment is erased, epoch milliseconds: as for a registration that was
 * created with the payment and never used, unless the operator has set a number of days.
 *
 * @param retentionDays whole days after the payment
 */
export function retentionEndsAtMs(
  { accountExpiresAtMs, usedAtMs }: Omit<Lifetime, 'extended'>,
  retentionDays?: number,
): number {
  if (retentionDays !== undefined) return usedAtMs + retentionDays * DAY_MS
  return expiresAtMs({ accountExpiresAtMs, usedAtMs, extended: false })
}
