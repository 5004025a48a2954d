import { expect, test } from 'vitest'
import { decodeMessage, encodeMessage } from './codec.ts'
import { FieldError } from './field-error.ts'
import type { Fields } from './field.ts'
import { createFrameReader, type HeaderName } from './frames.ts'
import type { Spec } from './spec.ts'
import { specs } from './specs/specs.ts'
import { DECODED, damagedMessages, damagedStreams } from './testing/fuzz-corpus.ts'

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase()
const wholeSpecs: Readonly<Record<string, Spec>> = specs

const faultOf = (work: () => unknown): string => {
  try {
    work()
    return DECODED
  } catch (error) {
    if (error instanceof FieldError) return error.message
    throw error
  }
}

test.each(damagedMessages)('%s decodes %s as before', (name, hex, fault) => {
  expect(faultOf(() => decodeMessage<Fields>(specs[name], bytesOf(hex)))).toBe(fault)
})

test('what is decoded is encoded to the same bytes', () => {
  for (const [name, hex, fault] of damagedMessages) {
    if (fault !== DECODED) continue
    const spec: Spec = specs[name]
    expect(hexOf(encodeMessage(spec, decodeMessage(spec, bytesOf(hex))))).toBe(hex)
  }
})

test('every part of a damaged message is decoded or refused by every specification', () => {
  for (const [, hex] of damagedMessages) {
    const bytes = bytesOf(hex)
    for (const spec of Object.values(wholeSpecs))
      for (let end = 0; end <= bytes.length; end += 1)
        expect(faultOf(() => decodeMessage(spec, bytes.subarray(0, end)))).toEqual(expect.any(String))
  }
})

/** The guards of the decoder of messages, without the places and lengths that they name. */
const guards = {
  all: [
    'bitmap: must not end after the message',
    'field: is not in the specification',
    'field: must be C or D, then digits',
    'field: must be digits',
    'field: must be printable characters of ASCII',
    'field: must begin with its length in digits',
    'field: must have at most',
    'field: must not end after the message',
    'message type: must be 4 digits',
    'message type: must not end after the message',
    'message: must end after its last field',
  ],
  ascii1987: [
    'bitmap: must be hexadecimal digits',
    'field: must be digits and =',
    'field: must be digits and special characters of ASCII',
    'field: must be hexadecimal digits',
    'field: must be letters, digits and spaces',
    'field: must have two hexadecimal digits for each byte',
  ],
  binary1987: [
    'field: must be digits and =',
    'field: must be digits and special characters of ASCII',
    'field: must be letters, digits and spaces',
    'field: must be padded with 0',
  ],
  binary1993: ['field: must be padded with 0'],
} as const

const guardOf = (fault: string): string =>
  fault
    .replace(/ at byte \d+/, '')
    .replace(/^field \d+/, 'field')
    .replace(/(at most|in the specification).*/, '$1')

test.each(['ascii1987', 'binary1987', 'binary1993'] as const)('the corpus of %s has every guard', (name) => {
  const faults = damagedMessages.filter(([spec, , fault]) => spec === name && fault !== DECODED)
  expect(new Set(faults.map(([, , fault]) => guardOf(fault)))).toEqual(new Set([...guards.all, ...guards[name]]))
})

/** The frames that a reader finds in a stream, or its fault. @param size the length of the parts that arrive */
function outcomeOf(header: HeaderName, hex: string, size: number): string {
  const reader = createFrameReader(header)
  const found: string[] = []
  const fault = faultOf(() => {
    for (let at = 0; at < hex.length; at += 2 * size)
      for (const { kind, bytes } of reader.push(bytesOf(hex.slice(at, at + 2 * size))))
        found.push(`${kind} ${hexOf(bytes)}`)
  })
  if (fault !== DECODED) return fault
  return [...found, ...(reader.isWithinFrame() ? ['then a part of a frame'] : [])].join(', ')
}

test.each(damagedStreams)('%s reads the frames of %s, in whatever parts they arrive', (header, hex, outcome) => {
  for (const size of [1, 2, 3, 100]) expect(outcomeOf(header, hex, size)).toBe(outcome)
})
