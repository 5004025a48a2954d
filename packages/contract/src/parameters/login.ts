import { chars, text } from '../format.ts'
import { row, section, unechoed } from '../section.ts'

/**
 * Credentials of clients of older platforms, in parameters instead of a header and `entityId`. Only channels with
 * `compatibility: legacy` accept them, and they are not in the tables of the contract.
 */
export const login = section(
  'Login of older clients',
  'payment',
  unechoed([
    row('authentication.entityId', chars('lowercase hexadecimal digits', 32, 32), 'R', 'Instead of entityId.'),
    row('authentication.userId', text(1, 255), 'C', 'Required without an Authorization header.'),
    row('authentication.password', text(1, 255), 'C', 'Required without an Authorization header.', {
      secret: 'password',
    }),
  ]),
)
