import { firstFailure, type Refused } from '../guard.ts'
import { type RegistrationSubject, usageGuards } from './guards.ts'

/** Why a registration cannot be used for a payment or schedule, read or updated; undefined if it can. */
export const registrationUseRefusal = (subject: RegistrationSubject): Refused | undefined =>
  firstFailure(usageGuards, subject)
