import { firstFailure, type Guard, type Refused } from '../guard.ts'
import { type ChangedRegistration, sameChannel, type RegistrationSubject } from './guards.ts'

const guards: readonly Guard<RegistrationSubject>[] = [
  sameChannel,
  {
    code: '100.150.202',
    reason: 'the registration was deregistered or has expired: its account data is erased already',
    holds: ({ registration }) => registration.deletedAtMs === null,
  },
]

/** DR: the registration ends, and its account data is erased. */
export const deregister = (subject: RegistrationSubject): ChangedRegistration | Refused =>
  firstFailure(guards, subject) ?? {
    kind: 'go',
    registration: { ...subject.registration, deletedAtMs: subject.atMs },
  }
