import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { decodeIccData, encodeIccData } from './ber-tlv.ts'
import { FieldError } from './field-error.ts'

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
const hex = (value: Uint8Array): string => Buffer.from(value).toString('hex').toUpperCase()

test.each([
  [
    'tags of one and two bytes',
    '9F26 02 AABB 95 01 80',
    [
      ['9F26', 'AABB'],
      ['95', '80'],
    ],
  ],
  ['a tag of three bytes', 'DF8101 01 7F', [['DF8101', '7F']]],
  ['a length in a further byte', `9F10 8180 ${'11'.repeat(128)}`, [['9F10', '11'.repeat(128)]]],
  ['an empty value', '84 00', [['84', '']]],
  ['a constructed element', '71 04 860201FF', [['71', '860201FF']]],
  ['nothing', '', []],
] as const)('chip data have %s', (_, encoded, elements) => {
  const decoded = decodeIccData(bytes(encoded))
  expect(decoded.map(({ tag, value }) => [tag, hex(value)])).toEqual(elements)
  expect(hex(encodeIccData(decoded))).toBe(encoded.replaceAll(' ', ''))
})

it('skips zeros between elements', () => {
  expect(decodeIccData(bytes('00 00 82 02 3C00 00 9A 03 261128')).map(({ tag }) => tag)).toEqual(['82', '9A'])
})

test.each([
  ['an element that ends early', '9F26 08 AABB', 'field 55 at byte 0: must not end within an element'],
  ['a tag that does not end', '9F FF FF FF FF 01 00', 'field 55 at byte 0: must have tags of at most 3 bytes'],
  ['a tag without a length', '82', 'field 55 at byte 1: must not end within an element'],
  ['an indefinite length', '82 80 0000', 'field 55 at byte 1: must have lengths of at most two bytes'],
  ['a length of three bytes', '82 83 000001 00', 'field 55 at byte 1: must have lengths of at most two bytes'],
  ['too many elements', '8200'.repeat(201), 'field 55 at byte 400: must have at most 200 elements'],
] as const)('decoding refuses %s', (_, encoded, message) => {
  expect(() => decodeIccData(bytes(encoded))).toThrow(message)
})

test.each(['', '9', '9F', '00', '9F2601', 'zz', 'DF81'])('encoding refuses the tag "%s"', (tag) => {
  expect(() => encodeIccData([{ tag, value: new Uint8Array(1) }])).toThrow(/^field 55.*: must have tags of/)
})

it('decodes any bytes or refuses them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (data) => {
      try {
        for (const { value } of decodeIccData(data)) expect(value.length).toBeLessThanOrEqual(data.length)
      } catch (error) {
        expect(error).toBeInstanceOf(FieldError)
      }
    }),
    { numRuns: 3_000 },
  )
})
