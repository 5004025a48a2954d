import type { InstructionType } from '../card-on-file/instruction.ts'

/**
 * ACTIVE: payments may use it. EXPIRED: its time has run out; its account data is erased, or about to be. DELETED: its
 * owner had its account data erased before that.
 */
export type RegistrationState = 'ACTIVE' | 'EXPIRED' | 'DELETED'

/** Stored payment details that later payments refer to (contract, Registration tokens). */
export interface Registration {
  /** 32 letters or digits, random, in no way derived from the account. */
  readonly id: string
  /** Entity id of the channel on which it was made. */
  readonly channel: string
  readonly accountId: string
  readonly createdAtMs: number
  /** The moment from which it cannot be used, unless it was used since that was reckoned: see `expiresAtMs`. */
  readonly expiresAtMs: number
  /** When its life was extended (TE). */
  readonly extendedAtMs: number | null
  /** When an acquirer first approved a payment or a verification with exactly this account. */
  readonly verifiedAtMs: number | null
  /** The network's id of the first payment that the customer made with it. */
  readonly initialTransactionId: string | null
  /** The network's ids of the transactions that began its newest agreement of each type. */
  readonly agreements: Agreements
  /** When its account data was erased. */
  readonly deletedAtMs: number | null
}

export type Agreements = Readonly<Partial<Record<InstructionType, string>>>

/** The state of a registration at a moment. */
export function registrationState(
  { deletedAtMs, expiresAtMs }: Pick<Registration, 'deletedAtMs' | 'expiresAtMs'>,
  atMs: number,
): RegistrationState {
  if (deletedAtMs !== null && deletedAtMs < expiresAtMs) return 'DELETED'
  return atMs < expiresAtMs ? 'ACTIVE' : 'EXPIRED'
}
