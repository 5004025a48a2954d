import { firstFailure, type Guard, type Refused } from '../guard.ts'
import { type Changed, sameChannel, type Subject } from './guards.ts'
import { registrationState } from './registration.ts'
import { expiresAtMs, type Life } from './life.ts'

const guards: readonly Guard<Subject>[] = [
  sameChannel,
  {
    code: '100.350.316',
    reason: 'the registration was deregistered, or its time has run out',
    holds: ({ registration, atMs }) => registrationState(registration, atMs) === 'ACTIVE',
  },
]

/**
 * TE: the registration is kept for 24 months instead of 14 after the end of its card or its last use. A second
 * extension changes nothing: "up to 24 months".
 */
export function extendRegistration(subject: Subject, life: Omit<Life, 'extended'>): Changed | Refused {
  const { registration, atMs } = subject
  const { accountEndsAtMs, usedAtMs } = life
  return (
    firstFailure(guards, subject) ?? {
      kind: 'go',
      registration: {
        ...registration,
        extendedAtMs: registration.extendedAtMs ?? atMs,
        expiresAtMs: expiresAtMs({ accountEndsAtMs, usedAtMs, extended: true }),
      },
    }
  )
}
