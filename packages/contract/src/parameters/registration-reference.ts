import { anyValue } from '../format.ts'
import { row, section, unechoed } from '../section.ts'

/** Registrations, for operations whose path contains none: schedules and checkouts. */
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
