import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it, test } from 'vitest'
import { decodeMessage, encodeMessage } from './codec.ts'
import { bytesOf as erasableBytesOf } from './content.ts'
import { FieldError } from './field-error.ts'
import { type Fields, isBytesField, type Message } from './field.ts'
import type { Spec } from './spec.ts'
import { ascii1987, binary1987, specs } from './specs/specs.ts'
import { knownBitmaps, knownMessages } from './testing/known-messages.ts'
import { type Random, randomMessage, randomOf } from './testing/random-message.ts'

const runs = process.env['TOLLGATE_TEST_LONG'] === '1' ? 1_000_000 : 5_000
/** The first seed of the messages, by default other ones in each run. */
const firstSeed = Number(process.env['TOLLGATE_TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

const bytesOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'))
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase()
const bytesOfHex = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'))

/** A message of texts as a message of a specification, whose secret values are bytes. */
function messageOf(spec: Spec, type: string, texts: Readonly<Record<number, string>>): Message {
  const fields = Object.entries(texts).map(([number, text]) => {
    const field = spec.fields[Number(number)]
    return [number, field && isBytesField(field) ? bytesOf(text) : text] as const
  })
  return { type, fields: Object.fromEntries(fields) }
}

/** A value of a field for messages whose values do not matter. */
function zerosOf(number: number): string | Uint8Array {
  const field = rows[number]
  if (field === undefined) throw new Error(`field ${number} has no row`)
  const { kind, length } = field
  if (kind === 'b') return new Uint8Array(length)
  const text = kind === 'xn' ? `C${'0'.repeat(length)}` : '0'.repeat(length)
  return isBytesField(field) ? bytesOf(text) : text
}

const rows: Fields = ascii1987.fields

const faultOf = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (error instanceof FieldError) return error.message
    throw error
  }
  return 'no fault'
}

const wholeSpecs: readonly Spec[] = Object.values(specs)

describe('known messages', () => {
  test.each(knownMessages)('$name', ({ type, fields, encoded }) => {
    const message = messageOf(ascii1987, type, fields)
    expect(textOf(encodeMessage<Fields>(ascii1987, message))).toBe(encoded)
    expect(decodeMessage<Fields>(ascii1987, bytesOf(encoded))).toEqual(message)
  })

  test.each(knownBitmaps)('fields %j have the bitmap %s', (numbers, hex) => {
    const fields = Object.fromEntries(numbers.map((number) => [number, zerosOf(number)]))
    const encoded = textOf(encodeMessage<Fields>(ascii1987, { type: '0100', fields }))
    expect(encoded.slice(4, 4 + hex.length)).toBe(hex)
  })
})

// Columns: the field, its value, and its bytes after message type and bitmap, by the rules of BCD.
test.each([
  ['a fixed field with an odd number of digits', 19, '858', '0858'],
  ['a fixed field with an even number of digits', 3, '000000', '000000'],
  ['a card number of 16 digits', 2, bytesOf('4200000000000091'), '16 4200000000000091'],
  ['a card number of 19 digits', 2, bytesOf('6304000000000000000'), '19 63040000000000000000'],
  ['track 2', 35, bytesOf('4200000000000091=3112'), '21 4200000000000091D31120'],
  ['a text of fixed length', 39, '00', '3030'],
  ['a text of variable length', 62, '489', '0003 343839'],
  ['bytes of fixed length', 52, bytesOfHex('0123456789ABCDEF'), '0123456789ABCDEF'],
  ['bytes of variable length', 55, bytesOfHex('9F2601AA'), '0004 9F2601AA'],
  ['an amount with a sign', 28, 'D00000123', '44 00000123'],
] as const)('the binary dialect encodes %s', (_, number, value, hex) => {
  const encoded = encodeMessage<Fields>(binary1987, { type: '0100', fields: { [number]: value } })
  const head = encoded.subarray(0, 10)
  expect(hexOf(head.subarray(0, 2))).toBe('0100')
  expect(hexOf(encoded.subarray(10))).toBe(hex.replaceAll(' ', ''))
  expect(decodeMessage<Fields>(binary1987, encoded).fields).toEqual({ [number]: value })
})

test.each([
  ['digits get zeros on the left', { 11: '7' }, '000007'],
  ['texts get spaces on the right', { 41: 'T1' }, 'T1      '],
] as const)('shorter values are filled: %s', (_, fields, filled) => {
  expect(textOf(encodeMessage<Fields>(ascii1987, { type: '0100', fields })).slice(20)).toBe(filled)
})

test.each([
  ['a type of three digits', { type: '010', fields: {} }, 'message type: must be 4 digits'],
  ['a wrong kind', { type: '0100', fields: { 4: '12,00' } }, 'field 4: must be digits'],
  ['a long value', { type: '0100', fields: { 3: '0000000' } }, 'field 3: must have 6 characters'],
  [
    'a long value of variable length',
    { type: '0100', fields: { 32: '1'.repeat(12) } },
    'field 32: must have at most 11 characters',
  ],
  [
    'more bytes than a length of three digits counts in hexadecimal digits',
    { type: '0100', fields: { 55: new Uint8Array(500) } },
    'field 55: must have at most 499 bytes',
  ],
  ['bytes of another length', { type: '0100', fields: { 52: new Uint8Array(7) } }, 'field 52: must have 8 bytes'],
  ['a text instead of bytes', { type: '0100', fields: { 2: '4200000000000091' } }, 'field 2: must be bytes'],
  ['bytes instead of a text', { type: '0100', fields: { 3: new Uint8Array(6) } }, 'field 3: must be a text'],
  ['an amount without a sign', { type: '0100', fields: { 28: '000000001' } }, 'field 28: must be C or D, then digits'],
  ['a field without a row', { type: '0100', fields: { 65: '1' } }, 'field 65: is not in the specification 1987 ASCII'],
  ['a bitmap', { type: '0100', fields: { 1: '1' } }, 'bitmap: is not in the specification 1987 ASCII'],
  [
    'a field above all rows',
    { type: '0100', fields: { 3: '000000', 129: '1' } },
    'field 129: is not in the specification 1987 ASCII',
  ],
] as const)('encoding refuses %s', (_, message, fault) => {
  expect(faultOf(() => encodeMessage<Fields>(ascii1987, message))).toBe(fault)
})

test.each([
  ['nothing', '', 'message type at byte 0: must not end after the message'],
  ['a type that is no number', '01X0', 'message type at byte 0: must be 4 digits'],
  ['half a bitmap', '010072000000', 'bitmap at byte 4: must not end after the message'],
  ['a bitmap that is not hexadecimal', '010070000000000000G0', 'bitmap at byte 4: must be hexadecimal digits'],
  ['a second bitmap that is missing', '0100F000000000000000', 'bitmap at byte 4: must not end after the message'],
  [
    'a field without a row',
    `0100${'8'.padEnd(16, '0')}${'8'.padEnd(16, '0')}`,
    'field 65 at byte 36: is not in the specification 1987 ASCII',
  ],
  ['a truncated fixed field', '010020000000000000000012', 'field 3 at byte 20: must not end after the message'],
  ['a truncated length', '010040000000000000001', 'field 2 at byte 20: must not end after the message'],
  [
    'a length that is no number',
    '01004000000000000000A642',
    'field 2 at byte 20: must begin with its length in digits',
  ],
  [
    'a length above the maximum',
    `0100400000000000000020${'4'.repeat(20)}`,
    'field 2 at byte 20: must have at most 19 characters',
  ],
  ['a length beyond the end', '01004000000000000000164200', 'field 2 at byte 22: must not end after the message'],
  ['a value of another kind', '010040000000000000000442X0', 'field 2 at byte 22: must be digits'],
  [
    'an odd number of hexadecimal digits',
    '01000000000000000200003ABC',
    'field 55 at byte 20: must have two hexadecimal digits for each byte',
  ],
  ['bytes after the last field', '01002000000000000000000000X', 'message at byte 26: must end after its last field'],
] as const)('decoding refuses %s', (_, text, fault) => {
  expect(faultOf(() => decodeMessage<Fields>(ascii1987, bytesOf(text)))).toBe(fault)
})

test.each([
  ['a letter among digits', '0100 4000000000000000 04 42A0', 'field 2 at byte 11: must be digits'],
  [
    'an odd field that is padded with another digit',
    '0100 0000200000000000 1858',
    'field 19 at byte 10: must be padded with 0',
  ],
  ['a length with a letter', '0100 4000000000000000 1F 42', 'field 2 at byte 10: must begin with its length in digits'],
] as const)('decoding BCD refuses %s', (_, hex, fault) => {
  expect(faultOf(() => decodeMessage<Fields>(binary1987, bytesOfHex(hex)))).toBe(fault)
})

test('a card number that is refused after it was read is erased', () => {
  const number = '378282246310005'
  const refused = bytesOfHex(`0100 4000000000000000 15 ${number}1`)
  expect(faultOf(() => decodeMessage<Fields>(binary1987, refused))).toBe('field 2 at byte 11: must be padded with 0')
  expect(textOf(new Uint8Array(erasableBytesOf(0).buffer))).not.toContain(number)
})

test.each([
  ['a number above 128', { 129: { ...ascii1987.fields[3] } }, 'field 129: must be 2 to 128'],
  ['a text of 1,000 characters', { 62: { ...ascii1987.fields[62], length: 1_000 } }, 'field 62: must have at most 999'],
])('a specification cannot have %s', (_, fields, fault) => {
  expect(() => encodeMessage<Fields>({ ...ascii1987, fields }, { type: '0100', fields: {} })).toThrow(fault)
})

describe.each(wholeSpecs)('$name', (spec) => {
  it('decodes every encoded message to itself', () => {
    for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
      const message = randomMessage(spec, randomOf(seed))
      const decoded = decodeMessage(spec, encodeMessage(spec, message))
      if (!isDeepStrictEqual(decoded, message)) expect(decoded, `seed ${seed}`).toEqual(message)
    }
  })

  it('decodes a mutated message or refuses it with the place of the fault', () => {
    for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
      const random = randomOf(seed)
      const bytes = mutated(encodeMessage(spec, randomMessage(spec, random)), random)
      const decoded = decodedOrFault(spec, bytes)
      if (decoded instanceof FieldError) {
        const { offset = Infinity } = decoded
        if (offset > bytes.length) expect(offset, `seed ${seed}`).toBeLessThanOrEqual(bytes.length)
      } else {
        const { length } = encodeMessage(spec, decoded)
        if (length !== bytes.length) expect(length, `seed ${seed}`).toBe(bytes.length)
      }
    }
  })
})

function decodedOrFault(spec: Spec, bytes: Uint8Array): Message | FieldError {
  try {
    return decodeMessage(spec, bytes)
  } catch (error) {
    if (error instanceof FieldError) return error
    throw error
  }
}

/** A message after one to four mutations. Each changes a byte, or cuts the message off. */
function mutated(message: Uint8Array, random: Random): Uint8Array {
  let bytes = message
  for (let left = 1 + random(4); left > 0 && bytes.length > 0; left -= 1) {
    const at = random(bytes.length)
    if (random(2) === 0) bytes = bytes.subarray(0, at)
    else bytes[at] = random(256)
  }
  return bytes
}
