import type { Guard } from '../guard.ts'
import type { Registration } from './registration.ts'

/** A request on a registration. */
export interface Subject {
  readonly registration: Registration
  /** Entity id of the channel that took the request. */
  readonly channel: string
}

/** What must hold for anything that refers to a registration. */
export const standing: readonly Guard<Subject>[] = [
  {
    code: '700.400.700',
    reason: 'the registration was made on another channel',
    holds: ({ registration, channel }) => registration.channel === channel,
  },
  {
    code: '100.150.202',
    reason: 'the registration was deregistered',
    holds: ({ registration }) => registration.state === 'ACTIVE',
  },
]
