import type { Agreements, Registration } from './registration.ts'
import { expiresAtMs } from './lifetime.ts'

/** RG: a new registration, with an account that has been checked. */
export const createRegistration = (about: {
  readonly id: string
  readonly channel: string
  readonly accountId: string
  readonly accountEndsAtMs: number | null
  /** Whether an acquirer approved a payment or a verification with the account. */
  readonly verified: boolean
  readonly initialTransactionId: string | null
  readonly agreements: Agreements
  readonly atMs: number
}): Registration => ({
  id: about.id,
  channel: about.channel,
  accountId: about.accountId,
  createdAtMs: about.atMs,
  expiresAtMs: expiresAtMs({ accountEndsAtMs: about.accountEndsAtMs, usedAtMs: about.atMs, extended: false }),
  extendedAtMs: null,
  verifiedAtMs: about.verified ? about.atMs : null,
  initialTransactionId: about.initialTransactionId,
  agreements: about.agreements,
  deletedAtMs: null,
})
