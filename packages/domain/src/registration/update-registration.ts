import type { Registration } from './registration.ts'
import { expiresAtMs } from './lifetime.ts'

/** The account that replaces the stored account. */
export interface NewAccount {
  readonly accountId: string
  /** As in `Lifetime`. */
  readonly accountExpiresAtMs: number | null
  /** Whether an acquirer approved the account. */
  readonly verified: boolean
}

/**
 * RR: replaces the account of a registration by another account of the same customer. The agreements of the
 * registration stay, and its retention starts again. Every usable registration can be updated.
 */
export const updateRegistration = (registration: Registration, account: NewAccount, atMs: number): Registration => ({
  ...registration,
  accountId: account.accountId,
  verifiedAtMs: account.verified ? atMs : null,
  expiresAtMs: expiresAtMs({
    accountExpiresAtMs: account.accountExpiresAtMs,
    usedAtMs: atMs,
    extended: registration.extendedAtMs !== null,
  }),
})
