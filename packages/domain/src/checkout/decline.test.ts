import { expect, test } from 'vitest'
import { isDecline } from './decline.ts'

test.each([
  // The funds are insufficient.
  ['800.100.155', true],
  // The authentication failed.
  ['100.390.112', true],
  // The shopper cancelled the payment.
  ['100.396.101', false],
  // The acquirer did not answer.
  ['900.100.300', false],
  ['000.200.000', false],
  ['000.100.110', false],
  [undefined, false],
] as const)('%s counts as a decline of a checkout: %s', (code, isCounted) => expect(isDecline(code)).toBe(isCounted))
