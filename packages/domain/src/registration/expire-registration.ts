import { type Registration, registrationState } from './registration.ts'
import { expiresAtMs } from './lifetime.ts'

/**
 * The registration with an expiry by its last use, for an account without an expiry date. The stored expiry may be
 * earlier: payments do not update it, so that concurrent payments with the registration do not conflict.
 */
export const withLastUse = (registration: Registration, usedAtMs: number): Registration => ({
  ...registration,
  expiresAtMs: expiresAtMs({ accountExpiresAtMs: null, usedAtMs, extended: registration.extendedAtMs !== null }),
})

/**
 * The end of an expired registration: its account data is erased.
 *
 * @param registration with its expiry by the last use
 * @returns the deleted registration; undefined if it has not expired, or is deleted already
 */
export function expireRegistration(registration: Registration, atMs: number): Registration | undefined {
  const isDue = registration.deletedAtMs === null && registrationState(registration, atMs) === 'EXPIRED'
  return isDue ? { ...registration, deletedAtMs: atMs } : undefined
}
