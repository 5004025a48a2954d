import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { lineBytes } from './line-bytes.ts'

test('lines are written in UTF-8, each with its LF, also if they are longer than usual', () => {
  const unit = fc.constantFrom('a', ';', 'é', '\u20ac', '😀')
  const line = fc
    .tuple(fc.string({ unit, maxLength: 20 }), fc.constantFrom(1, 50, limits.recordLineBytes))
    .map(([text, times]) => text.repeat(times))
  const property = fc.property(fc.array(line, { maxLength: 9 }), (lines) => {
    const { add, bytes } = lineBytes(lines.length)
    for (const each of lines) add(each)
    expect(bytes().toString()).toBe(lines.map((each) => `${each}\n`).join(''))
  })
  fc.assert(property)
})
