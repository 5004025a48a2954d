import { anyValue } from '../format.ts'
import { row, section, unechoed } from '../section.ts'

/** What the path of other requests says, where the path is that of something else (POST /scheduling/v1/schedules). */
export const registrationReference = section(
  'Registration',
  'payment',
  unechoed([row('registrationId', anyValue, 'O', 'Schedules: the registration that is charged. Ignored elsewhere.')]),
)
