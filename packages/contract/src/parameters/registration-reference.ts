import { anyValue } from '../format.ts'
import { row, section, unechoed } from '../section.ts'

/** Ids of registrations, for operations without one in the path: schedules and checkouts. */
export const registrationReference = section(
  'Registration',
  'payment',
  unechoed([
    row(
      'registrationId',
      anyValue,
      'O',
      'Schedules: the registration to charge. Submit of a checkout: the offered registration to pay with. Ignored ' +
        'elsewhere.',
    ),
    row('registrations[n].id', anyValue, 'O', 'Checkouts: a registration for one-click payment.'),
  ]),
)
