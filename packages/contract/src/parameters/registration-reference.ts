import { anyValue } from '../format.ts'
import { row, section, unechoed } from '../section.ts'

/** The registration, for an operation whose path does not contain it (POST /scheduling/v1/schedules). */
export const registrationReference = section(
  'Registration',
  'payment',
  unechoed([
    row(
      'registrationId',
      anyValue,
      'O',
      'Schedules: the registration to charge. Checkouts: the offered registration to pay with. Ignored elsewhere.',
    ),
    row('registrations[n].id', anyValue, 'O', 'Checkouts: a registration for one-click payment.'),
  ]),
)
