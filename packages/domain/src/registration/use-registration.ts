import { firstFailure, type Refused } from '../guard.ts'
import { type Subject, usable } from './guards.ts'

/**
 * Whether a registration may be paid with, read or updated.
 *
 * @returns why not; undefined if it may
 */
export const useRegistration = (subject: Subject): Refused | undefined => firstFailure(usable, subject)
