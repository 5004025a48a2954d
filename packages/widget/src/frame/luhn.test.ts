import { expect, test } from 'vitest'
import { isLuhn } from './luhn.ts'

test.each(['4111111111111111', '378282246310005', '6304000000000000', '0', '18'])(
  '%s ends in its check digit',
  (digits) => expect(isLuhn(digits)).toBe(true),
)
test.each(['', '4111111111111112', '1', '81'])('%j does not end in its check digit', (digits) =>
  expect(isLuhn(digits)).toBe(false),
)
