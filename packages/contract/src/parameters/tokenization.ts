import { boolean } from '../format.ts'
import { row, section, unechoed } from '../section.ts'

export const tokenization = section(
  'Tokenization and registration',
  'payment',
  unechoed([
    row('createRegistration', boolean, 'O', 'Stores the details; the response carries the registration id.'),
    row(
      'overrideHolder',
      boolean,
      'O',
      'Allows card.holder or bankAccount.holder to replace an empty holder of the registration, for that payment only.',
    ),
  ]),
)
