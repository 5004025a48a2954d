import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSentAs, type SentAs, sentAsOf, writeSentAs } from './sent-as.ts'

const trace = { terminalId: 'TERM0001', stan: '000123', atMs: 1_790_000_000_000 }
const sentAs: SentAs = { ...trace, type: '0100', fields: { 3: '000000' }, parameters: {} }

test('references are read as they were written', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 })
  const optional = { requiredKeys: [] as [] }
  const written = fc.record(
    {
      terminalId: text,
      stan: text,
      atMs: fc.maxSafeInteger().filter((atMs) => !Object.is(atMs, -0)),
      type: text,
      fields: fc.record({ 3: text, 18: text, 22: text, 25: text, 43: text }, optional),
      parameters: fc.record({ sequence: text, numberOfCaptures: text }, optional),
      captureSequence: fc.nat(),
    },
    { requiredKeys: ['terminalId', 'stan', 'atMs', 'type', 'fields', 'parameters'] },
  )
  fc.assert(
    fc.property(written, (references) => {
      expect(readSentAs(writeSentAs(references))).toEqual(references)
    }),
  )
})

test('references hold the fields and parameters that repeats need, and no others', () => {
  const bytes = Uint8Array.from(Buffer.from('4200000000000091'))
  const fields = { 2: bytes, 3: '000000', 4: '000000009200', 14: '3112', 18: '5734', 22: '010', 25: '59', 43: 'SHOP' }
  const parameters = new Map([
    ['sequence', 'FINAL'],
    ['numberOfCaptures', '3'],
    ['card.holder', 'Jane Jones'],
  ])
  expect(sentAsOf({ type: '0220', fields }, trace, parameters, { captureSequence: 2 })).toEqual({
    ...trace,
    type: '0220',
    fields: { 3: '000000', 18: '5734', 22: '010', 25: '59', 43: 'SHOP' },
    parameters: { sequence: 'FINAL', numberOfCaptures: '3' },
    captureSequence: 2,
  })
  expect(sentAsOf({ type: '0100', fields: {} }, trace, new Map(), {})).toEqual({
    ...trace,
    type: '0100',
    fields: {},
    parameters: {},
  })
})

const SECRET = '4200000000000091'

test.each([
  ['no JSON', `${SECRET} is no JSON`],
  ['half a text', `{"stan":"${SECRET}`],
  ['null', 'null'],
  ['a text', `"${SECRET}"`],
  ['a list', `["${SECRET}"]`],
  ['no type', { ...sentAs, type: undefined }],
  ['a number as type', { ...sentAs, type: 100 }],
  ['no terminal id', { ...sentAs, terminalId: undefined }],
  ['a number as trace number', { ...sentAs, stan: Number(SECRET) }],
  ['no time', { ...sentAs, atMs: undefined }],
  ['a text as time', { ...sentAs, atMs: SECRET }],
  ['no fields', { ...sentAs, fields: undefined }],
  ['a list of fields', { ...sentAs, fields: [SECRET] }],
  ['a number as field', { ...sentAs, fields: { 3: Number(SECRET) } }],
  ['no parameters', { ...sentAs, parameters: undefined }],
  ['a parameter without a text', { ...sentAs, parameters: { sequence: null } }],
  ['a text as number of the capture', { ...sentAs, captureSequence: SECRET }],
])('references with %s are refused, and the error has no value of them', (_, stored) => {
  const text = typeof stored === 'string' ? stored : JSON.stringify(stored)
  expect(() => readSentAs(text)).toThrow(/^the stored references of a message to the acquirer are damaged$/)
})
