import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { printable } from './printable.ts'

test.each([
  ['Main Street 1 (~)', 'Main Street 1 (~)'],
  ['Crème brûlée', 'Creme brulee'],
  ['Ångström', 'Angstrom'],
  ['Straße', 'Stra?e'],
  ['ﬁn…', 'fin...'],
  ['a\tb\nc\u00a0d', 'a b c d'],
  ['東京', '??'],
  ['💳', '?'],
  ['\ud800', '?'],
  ['\u0301', ''],
  ['\u0000\u007f', '??'],
  ['', ''],
] as const)('%j becomes %j', (text, ascii) => {
  expect(printable(text)).toBe(ascii)
})

it('leaves only printable ASCII of any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(printable(text)).toMatch(/^[ -~]*$/)
      expect(printable(printable(text))).toBe(printable(text))
    }),
    { numRuns: 1_000 },
  )
})
