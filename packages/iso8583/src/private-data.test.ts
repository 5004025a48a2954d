import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { FieldError } from './field-error.ts'
import { decodePrivateData, encodePrivateData } from './private-data.ts'

const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'))
const text = (value: Uint8Array): string => Buffer.from(value).toString('latin1')

test('elements are a tag, a length and a value, in their order', () => {
  const elements = new Map<string, string | Uint8Array>([
    ['02', '05'],
    ['01', bytes('123')],
    ['14', ''],
  ])
  const encoded = encodePrivateData(elements)
  expect(text(encoded)).toBe('02002050100312314000')
  expect(Array.from(decodePrivateData(encoded), ([tag, value]) => [tag, text(value)])).toEqual([
    ['02', '05'],
    ['01', '123'],
    ['14', ''],
  ])
})

it('takes the first of repeated elements', () => {
  expect(text(decodePrivateData(bytes('0200100200207')).get('02') ?? bytes('none'))).toBe('0')
})

test.each([
  ['an element that ends early', '0200505', 'field 48 at byte 0: must not end within an element'],
  ['a length without digits', '02AB505', 'field 48 at byte 0: must have a tag and a length of 3 digits'],
  ['half a head', '0200205X1', 'field 48 at byte 7: must have a tag and a length of 3 digits'],
] as const)('decoding refuses %s', (_, encoded, message) => {
  expect(() => decodePrivateData(bytes(encoded))).toThrow(message)
})

test.each([
  ['a tag of one character', '1', 'x', 'field 48: must have tags of two characters'],
  ['a long value', '02', 'x'.repeat(1_000), 'field 48: must have elements of at most 999 characters'],
  ['a control character', '02', '\n', 'field 48: must have printable characters of ASCII'],
] as const)('encoding refuses %s', (_, tag, value, message) => {
  expect(() => encodePrivateData(new Map([[tag, value]]))).toThrow(message)
})

it('decodes any bytes or refuses them', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from('0123459AZ')), maxLength: 60 }), (data) => {
      try {
        decodePrivateData(bytes(data))
      } catch (error) {
        expect(error).toBeInstanceOf(FieldError)
      }
    }),
    { numRuns: 3_000 },
  )
})
