import { describe, expect, test } from 'vitest'
import { caretAfter, groupDigits, numberState } from './card-number.ts'

describe('a card number', () => {
  test.each([
    ['4111', 'VISA', '4111'],
    ['41111', 'VISA', '4111 1'],
    ['4111111111111111', 'VISA', '4111 1111 1111 1111'],
    ['6304000000000000000', 'MAESTRO', '6304 0000 0000 0000 000'],
    ['378282246310005', 'AMEX', '3782 822463 10005'],
    ['30569309025904', 'DINERS', '3056 930902 5904'],
    ['3056930902590400', 'DINERS', '3056 9309 0259 0400'],
    ['', undefined, ''],
  ] as const)('%s of the brand %s is formatted as %j', (digits, brand, text) =>
    expect(groupDigits(digits, brand)).toBe(text),
  )
})

test.each([
  [0, '4111 1', 0],
  [4, '4111 1', 4],
  [5, '4111 1', 6],
  [9, '4111 1', 6],
] as const)('the caret after %i digits of %s is at %i', (count, text, position) =>
  expect(caretAfter(count, text)).toBe(position),
)

describe('the state of the number field', () => {
  const allBrands = ['VISA', 'MASTER', 'AMEX', 'MAESTRO', 'DISCOVER', 'CARTEBANCAIRE', 'MADA'] as const
  test.each([
    // digits, accepted, chosen, brand, brands, isFull, error
    ['', allBrands, undefined, undefined, [], false, 'errorCardNumberMissing'],
    ['4', allBrands, undefined, 'VISA', ['VISA'], false, 'errorCardNumber'],
    ['5', allBrands, undefined, undefined, [], false, 'errorCardNumber'],
    ['51', allBrands, undefined, 'MASTER', ['MASTER'], false, 'errorCardNumber'],
    ['4111111111111111', ['VISA', 'MASTER'], undefined, 'VISA', ['VISA'], false, ''],
    ['4111111111111112', ['VISA'], undefined, 'VISA', ['VISA'], false, 'errorCardNumber'],
    ['4111111111111111', allBrands, undefined, 'VISA', ['VISA', 'CARTEBANCAIRE'], false, ''],
    ['4111111111111111', allBrands, 'CARTEBANCAIRE', 'CARTEBANCAIRE', ['VISA', 'CARTEBANCAIRE'], false, ''],
    ['5454545454545454', ['VISA'], undefined, undefined, [], true, 'errorBrand'],
    ['5454545454545454', ['VISA', 'MASTER'], 'VISA', 'VISA', ['MASTER'], false, 'errorBrand'],
    ['378282246310005', allBrands, undefined, 'AMEX', ['AMEX'], true, ''],
    ['6011111111111117', allBrands, undefined, 'DISCOVER', ['DISCOVER'], false, ''],
    ['6011', ['VISA', 'MAESTRO'], undefined, undefined, [], false, 'errorCardNumber'],
    ['6011111111111117', ['VISA', 'MAESTRO'], undefined, undefined, [], false, 'errorBrand'],
    ['4008610000000004', allBrands, undefined, 'MADA', ['MADA', 'VISA'], true, 'errorCardNumber'],
  ] as const)(
    'after %j, with the brands %j and %s chosen, has the brand %s of %j, isFull %s and the error %j',
    (digits, accepted, chosen, ...state) => {
      const [brand, brands, isFull, error] = state
      expect(numberState(digits, accepted, chosen)).toEqual({ brand, brands, isFull, error })
    },
  )
})
