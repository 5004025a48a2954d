import { expect, test } from 'vitest'
import { digitsOf } from './digits.ts'

test.each([
  ['4111 1111-1111 1111', '4111111111111111'],
  ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
  ['۰۱۲۳۴۵۶۷۸۹', '0123456789'],
  ['０１２３４５６７８９', '0123456789'],
  ['card', ''],
])('%s has the digits %s', (text, digits) => expect(digitsOf(text)).toBe(digits))
