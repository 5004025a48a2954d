import { type Unknown, unknown } from '../guard.ts'

/** Operations on an existing registration: use (payment, schedule, read), update, extend, delete. */
export type RegistrationOperation = 'use' | 'RR' | 'TE' | 'DR'

/** HTTP 404: the registration does not exist, or the caller may not see it. */
export const unknownRegistration: Readonly<Record<RegistrationOperation, Unknown>> = {
  use: unknown('100.150.200', 'there is no such registration'),
  RR: unknown('100.150.200', 'there is no such registration'),
  TE: unknown('100.150.200', 'there is no such registration'),
  DR: unknown('100.350.303', 'there is no such registration'),
}
