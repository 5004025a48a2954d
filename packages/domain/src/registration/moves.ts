import { type Unknown, unknown } from '../guard.ts'

/** What is asked of a registration that exists: to pay with it or read it, to update, extend and end it. */
export type RegistrationMove = 'use' | 'RR' | 'TE' | 'DR'

/** What such a request is answered where there is no registration, or none that the caller may see: HTTP 404. */
export const unknownRegistration: Readonly<Record<RegistrationMove, Unknown>> = {
  use: unknown('100.150.200', 'there is no such registration'),
  RR: unknown('100.150.200', 'there is no such registration'),
  TE: unknown('100.150.200', 'there is no such registration'),
  DR: unknown('100.350.303', 'there is no such registration'),
}
