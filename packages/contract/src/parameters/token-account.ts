import { chars, oneOf } from '../format.ts'
import { row, section, unechoed } from '../section.ts'
import { expiryMonth, expiryYear } from './expiry.ts'

export const tokenAccount = section(
  'Token account',
  'payment',
  unechoed([
    row('tokenAccount.number', chars('digits', 12, 19), 'R', 'Token from an external provider.', { secret: 'pan' }),
    row('tokenAccount.type', oneOf('EXTERNAL', 'NETWORK'), 'R'),
    row('tokenAccount.expiryMonth', expiryMonth, 'O'),
    row('tokenAccount.expiryYear', expiryYear, 'O'),
    row('tokenAccount.cryptogram', chars('base64 characters', 28, 32), 'C', 'EMV-based dynamic data.', {
      secret: 'token',
    }),
    row('tokenAccount.dtvc', chars('digits', 3, 4), 'C', 'Dynamic token verification code.', { secret: 'cvv' }),
  ]),
)
