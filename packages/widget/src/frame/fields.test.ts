import { expect, test } from 'vitest'
import { fieldKinds } from './fields.ts'

test.each([
  // brands, chosen, typed, truncated, isFull, error
  [['VISA', 'AMEX'], undefined, '12345', '1234', true, ''],
  [['VISA', 'AMEX'], 'VISA', '1234', '123', true, ''],
  [['VISA', 'AMEX'], 'AMEX', '123', '123', false, 'errorCvv'],
  [['VISA'], undefined, '', '', false, 'errorCvv'],
] as const)(
  'a CVV field of %j with %s chosen truncates %j to %j, with isFull %s and the error %j',
  (brands, chosen, typed, truncated, isFull, error) => {
    const state = fieldKinds['cvv']?.state(typed, brands, chosen)
    expect(state).toMatchObject({ text: truncated, digits: truncated, isFull, error })
  },
)

test('a pasted number is truncated to nineteen digits', () => {
  const state = fieldKinds['number']?.state('4'.repeat(40), ['VISA', 'NOBRAND'], undefined)
  expect(state?.digits).toBe('4'.repeat(19))
})
