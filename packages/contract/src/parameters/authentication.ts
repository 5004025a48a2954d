import { bearerHeader, chars } from '../format.ts'
import { row, section, unechoed } from '../section.ts'

export const authentication = section(
  'Authentication parameters',
  'payment',
  unechoed([
    row(
      'entityId',
      chars('lowercase hexadecimal digits', 32, 32),
      'C',
      'Channel entity id (merchant entity id when channel dispatching is active).',
    ),
    row('Authorization', bearerHeader, 'R', 'A request header, not a parameter of the form.'),
  ]),
)
