import type { Guard } from '../guard.ts'
import { type Registration, registrationState } from './registration.ts'

/** A request on a registration. */
export interface RegistrationSubject {
  readonly registration: Registration
  /** Entity id of the channel that received the request. */
  readonly channel: string
  readonly atMs: number
}

export const sameChannel: Guard<RegistrationSubject> = {
  code: '700.400.700',
  reason: 'the registration was made on another channel',
  holds: ({ registration, channel }) => registration.channel === channel,
}

/** Guards of all operations on a registration except its extension (TE) and deregistration (DR). */
export const usageGuards: readonly Guard<RegistrationSubject>[] = [
  sameChannel,
  {
    code: '100.150.202',
    reason: 'the registration was deregistered',
    holds: ({ registration, atMs }) => registrationState(registration, atMs) !== 'DELETED',
  },
  {
    code: '100.150.203',
    reason: 'the registration has expired: its retention period is over',
    holds: ({ registration, atMs }) => registrationState(registration, atMs) !== 'EXPIRED',
  },
]

/** A permitted change, with the registration after it. */
export interface ChangedRegistration {
  readonly kind: 'go'
  readonly registration: Registration
}
