import { firstFailure, type Guard, type Refused } from '../guard.ts'
import { type ChangedRegistration, sameChannel, type RegistrationSubject } from './guards.ts'
import { registrationState } from './registration.ts'
import { expiresAtMs, type Lifetime } from './lifetime.ts'

const guards: readonly Guard<RegistrationSubject>[] = [
  sameChannel,
  {
    code: '100.350.316',
    reason: 'the registration was deregistered or has expired',
    holds: ({ registration, atMs }) => registrationState(registration, atMs) === 'ACTIVE',
  },
]

/**
 * TE: the registration is kept for 24 months instead of 14 after the expiry of its card or, if its account does not
 * expire, after its last use. A second extension adds no further months: "up to 24 months".
 */
export function extendRegistration(
  subject: RegistrationSubject,
  lifetime: Omit<Lifetime, 'extended'>,
): ChangedRegistration | Refused {
  const { registration, atMs } = subject
  const { accountExpiresAtMs, usedAtMs } = lifetime
  return (
    firstFailure(guards, subject) ?? {
      kind: 'go',
      registration: {
        ...registration,
        extendedAtMs: registration.extendedAtMs ?? atMs,
        expiresAtMs: expiresAtMs({ accountExpiresAtMs, usedAtMs, extended: true }),
      },
    }
  )
}
