import { firstFailure, type Refused } from '../guard.ts'
import { type RegistrationSubject, usageGuards } from './guards.ts'

/**
 * Whether a registration may be paid with, read or updated.
 *
 * @returns the refusal; undefined if it may
 */
export const useRegistration = (subject: RegistrationSubject): Refused | undefined => firstFailure(usageGuards, subject)
