import { chars, oneOf, text } from '../format.ts'
import { NO_PAN, REFERENCE, row, rows, section } from '../section.ts'

export const corporate = section('Corporate', 'payment', [
  row('corporate.name', text(1, 30), 'O', '', NO_PAN),
  row('corporate.description', text(1, 160), 'O'),
  ...rows('corporate.', ['street', 'address'], text(1, 100), 'O'),
  row('corporate.city', text(1, 80), 'O'),
  row('corporate.state', text(1, 50), 'O'),
  row('corporate.postCode', text(1, 16), 'O'),
  row('corporate.suite', text(1, 30), 'O'),
  row('corporate.postboxNumber', text(1, 15), 'O', '', REFERENCE),
  row('corporate.purchase', oneOf('Y', 'N'), 'O'),
  ...rows('corporate.', ['phone', 'fax'], chars('digits', 1, 25), 'O'),
  row('corporate.vatId', text(0, 255), 'O', '', REFERENCE),
])
