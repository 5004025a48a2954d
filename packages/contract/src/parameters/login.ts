import { chars, text } from '../format.ts'
import { row, section, unechoed } from '../section.ts'

/**
 * How clients of older platforms say who they are: in parameters, where the contract has a header and `entityId`. The
 * names mean something on channels with `compatibility: legacy` alone and are not among the contract's tables: anywhere
 * else they are unknown ones.
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
