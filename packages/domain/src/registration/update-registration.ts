import type { Registration } from './registration.ts'
import { expiresAtMs } from './life.ts'

/** The account that takes the place of the stored one. */
export interface NewAccount {
  readonly accountId: string
  /** As in `Life`. */
  readonly accountEndsAtMs: number | null
  /** Whether an acquirer approved it. */
  readonly verified: boolean
}

/**
 * RR: the registration with another account. It is the same customer's, so that what was agreed stays; its time to be
 * kept begins anew. Whether it may be updated is whether it may be used.
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
