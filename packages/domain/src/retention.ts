import { DAY_MS } from '@tollgate/contract'
import { expiresAtMs, type Life } from './registration/life.ts'

/**
 * When the number that a payment was made with is to be erased, epoch milliseconds: as if it had been stored with the
 * payment and never used again; or so many days after the payment, where an operator has set them.
 *
 * @param retentionDays whole days
 */
export function retentionEndsAtMs(
  { accountEndsAtMs, usedAtMs }: Omit<Life, 'extended'>,
  retentionDays?: number,
): number {
  if (retentionDays !== undefined) return usedAtMs + retentionDays * DAY_MS
  return expiresAtMs({ accountEndsAtMs, usedAtMs, extended: false })
}
