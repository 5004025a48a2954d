import { firstFailure, type Guard, type Refused } from '../guard.ts'
import { type Changed, sameChannel, type Subject } from './guards.ts'

const guards: readonly Guard<Subject>[] = [
  sameChannel,
  {
    code: '100.150.202',
    reason: 'the registration was deregistered, or its time has run out: its account data is erased already',
    holds: ({ registration }) => registration.deletedAtMs === null,
  },
]

/** DR: the registration ends, and its account data is to be shredded. */
export const deregister = (subject: Subject): Changed | Refused =>
  firstFailure(guards, subject) ?? {
    kind: 'go',
    registration: { ...subject.registration, deletedAtMs: subject.atMs },
  }
