import { expect, test } from 'vitest'
import { isCreditorId } from './creditor-id.ts'

test.each([
  ['DE98ZZZ09999999999', true],
  ['DE98ABC09999999999', true],
  ['DE97ZZZ09999999999', false],
  ['de98zzz09999999999', false],
  ['DE98ZZZ', false],
  ['DE98', false],
  ['', false],
  [`DE98ZZZ${'0'.repeat(29)}`, false],
])('%s identifies a creditor: %s', (text, isValid) => expect(isCreditorId(text)).toBe(isValid))
