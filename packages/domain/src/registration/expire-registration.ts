import { type Registration, registrationState } from './registration.ts'
import { expiresAtMs } from './life.ts'

/**
 * A registration as its last use makes it, for an account without an end of its own. What is stored lags behind:
 * payments do not touch the registration that they are made with, so that they never wait for each other.
 */
export const asLastUsed = (registration: Registration, usedAtMs: number): Registration => ({
  ...registration,
  expiresAtMs: expiresAtMs({ accountEndsAtMs: null, usedAtMs, extended: registration.extendedAtMs !== null }),
})

/**
 * The end of a registration whose time has run out: its account data is to be shredded.
 *
 * @param registration as its last use makes it
 * @returns the registration as it is from now on; undefined while its time has not run out, and once that was done
 */
export function expireRegistration(registration: Registration, atMs: number): Registration | undefined {
  const isDue = registration.deletedAtMs === null && registrationState(registration, atMs) === 'EXPIRED'
  return isDue ? { ...registration, deletedAtMs: atMs } : undefined
}
