import type { InstructionType } from '../card-on-file/instruction.ts'

/**
 * ACTIVE: payments may use the registration. EXPIRED: its retention is over; its account data is erased or due for
 * erasure. DELETED: it was deregistered before its expiry, and its account data is erased.
 */
export type RegistrationState = 'ACTIVE' | 'EXPIRED' | 'DELETED'

/** Stored payment details that later payments refer to (contract, Registration tokens). */
export interface Registration {
  /** 32 random letters or digits, not derived from the account. */
  readonly id: string
  /** Entity id of the channel on which the registration was made. */
  readonly channel: string
  readonly accountId: string
  readonly createdAtMs: number
  /** The time from which the registration cannot be used. A later use postpones it: see `withLastUse`. */
  readonly expiresAtMs: number
  /** Time of its extension (TE). */
  readonly extendedAtMs: number | null
  /** Time of the first payment or verification that an acquirer approved with this account. */
  readonly verifiedAtMs: number | null
  /** The network's id of the first payment with the registration that is not a charge under an agreement. */
  readonly initialTransactionId: string | null
  /** The network's id of the transaction that began the newest agreement of each type. */
  readonly agreements: Agreements
  /** Time of the erasure of its account data. */
  readonly deletedAtMs: number | null
}

export type Agreements = Readonly<Partial<Record<InstructionType, string>>>

/** The state of a registration at a time. */
export function registrationState(
  { deletedAtMs, expiresAtMs }: Pick<Registration, 'deletedAtMs' | 'expiresAtMs'>,
  atMs: number,
): RegistrationState {
  if (deletedAtMs !== null && deletedAtMs < expiresAtMs) return 'DELETED'
  return atMs < expiresAtMs ? 'ACTIVE' : 'EXPIRED'
}
