import type { Registration } from './registration.ts'
import { expiresAtMs } from './lifetime.ts'

/** The account that replaces the stored one. */
export interface NewAccount {
  readonly accountId: string
  /** As in `Lifetime`. */
  readonly accountEndsAtMs: number | null
  /** Whether an acquirer approved the account. */
  readonly verified: boolean
}

/**
 * RR: the registration with another account of the same customer. Its agreements stay, its retention starts again.
 * Every usable registration can be updated.
 */
export const updateRegistration = (registration: Registration, account: NewAccount, atMs: number): Registration => ({
  ...registration,
  accountId: account.accountId,
  verifiedAtMs: account.verified ? atMs : null,
  expiresAtMs: expiresAtMs({
    accountEndsAtMs: account.accountEndsAtMs,
    usedAtMs: atMs,
    extended: registration.extendedAtMs !== null,
  }),
})
