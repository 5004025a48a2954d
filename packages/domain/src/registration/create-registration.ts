import type { Agreements, Registration } from './registration.ts'
import { expiresAtMs } from './lifetime.ts'

/** RG, or a payment with createRegistration=true: a new registration. */
export const createRegistration = (registration: {
  readonly id: string
  readonly channel: string
  readonly accountId: string
  readonly accountExpiresAtMs: number | null
  /** Whether an acquirer approved a payment or a verification with the account. */
  readonly verified: boolean
  readonly initialTransactionId: string | null
  readonly agreements: Agreements
  readonly atMs: number
}): Registration => ({
  id: registration.id,
  channel: registration.channel,
  accountId: registration.accountId,
  createdAtMs: registration.atMs,
  expiresAtMs: expiresAtMs({
    accountExpiresAtMs: registration.accountExpiresAtMs,
    usedAtMs: registration.atMs,
    extended: false,
  }),
  extendedAtMs: null,
  verifiedAtMs: registration.verified ? registration.atMs : null,
  initialTransactionId: registration.initialTransactionId,
  agreements: registration.agreements,
  deletedAtMs: null,
})
