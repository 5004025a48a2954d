/** ACTIVE: payments may use it. DELETED: its account data is shredded and never comes back. */
export type RegistrationState = 'ACTIVE' | 'DELETED'

/** Stored payment details that later payments refer to (contract, Registration tokens). */
export interface Registration {
  /** 32 letters or digits, random, in no way derived from the account. */
  readonly id: string
  /** Entity id of the channel on which it was made. */
  readonly channel: string
  readonly accountId: string
  readonly state: RegistrationState
  readonly createdAtMs: number
  /** null while active. */
  readonly deletedAtMs: number | null
}

/** RG: what a new registration is. Whether its account is good was decided before. */
export const createRegistration = (about: {
  readonly id: string
  readonly channel: string
  readonly accountId: string
  readonly atMs: number
}): Registration => ({
  id: about.id,
  channel: about.channel,
  accountId: about.accountId,
  state: 'ACTIVE',
  createdAtMs: about.atMs,
  deletedAtMs: null,
})
