import { chars, oneOf, text } from '../format.ts'
import { NO_PAN, row, section, unechoed } from '../section.ts'
import { expiryMonth, expiryYear } from './expiry.ts'

export const cardAccount = section(
  'Card account',
  'payment',
  unechoed([
    row('card.holder', text(3, 128), 'O', '', NO_PAN),
    row('card.number', chars('digits', 8, 32), 'R', '', { secret: 'pan' }),
    row('card.expiryMonth', expiryMonth, 'R'),
    row('card.expiryYear', expiryYear, 'R'),
    row('card.cvv', chars('digits', 3, 4), 'C', '', { secret: 'cvv' }),
    row('card.numberType', oneOf('PAN', 'DPAN'), 'O'),
  ]),
)
