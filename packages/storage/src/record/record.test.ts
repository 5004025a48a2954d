import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { StorageError } from '../storage-error.ts'
import { decodeRecord } from './decode-record.ts'
import { encodeRecord } from './encode-record.ts'
import { shortWords, words } from './words.ts'

const numRuns = process.env['TOLLGATE_TEST_LONG'] === '1' ? 20_000 : 500

type Values = readonly (string | number | null)[]

const ID = '01a20a7c7d83ff9a93f04b50072f7549'

const hexOf = (values: Values, id = ID): string => Buffer.from(encodeRecord(values, id)).toString('hex')
const decodeHex = (hex: string, id = ID): Values => decodeRecord(Buffer.from(hex, 'hex'), id)

const payment: Values = [
  3800,
  'EUR',
  'VISA',
  'INTERNAL',
  '000.100.110',
  '{}',
  '{"merchantTransactionId":"order-0000000000000100","customer":{"givenName":"Anneliese","surname":"Li","email":' +
    '"anneliese.li.100@example.com","ip":"203.0.0.100"},"billing":{"street1":"101 High Street","country":"GB"}}',
  '{"descriptor":"9280.1839.0025 Shop 1","result":{"code":"000.100.110","description":"Request successfully ' +
    `processed in 'Merchant in Integrator Test Mode'","avsResponse":"F","cvvResponse":"M"},"resultDetails":` +
    '{"ExtendedDescription":"Approved","clearingInstituteName":"Tollgate Simulator","ConnectorTxID1":' +
    `"SIM-${ID}","ConnectorTxID2":"632722029841","AuthCode":"UZPDDL"},"card":{"bin":"420000","last4Digits":"0000",` +
    '"holder":"Anneliese Li","expiryMonth":"05","expiryYear":"2032"}}',
]

/** Records that were stored, which must remain readable, and which this version must still write. */
const stored: readonly (readonly [name: string, values: Values, hex: string])[] = [
  ['no value', [], '0100'],
  [
    'null, integers and a short text',
    [null, 0, 31, 32, -0, -1, Number.MAX_SAFE_INTEGER, 'abc'],
    '012001027e82010307feffffffffffff3f0c616263',
  ],
  [
    'an ordinary payment',
    payment,
    '0120e2760c10202c08dc06dc0f94979a918e9d6f7264657211b000000000000010009f416e6e656c69657365a34c69a4616e6e656c6965' +
      '73652e6c6904a100e353a90b203a0a0a1000ac04101d4869676820537472656574b4474285bd0f9280a1839a0025d053686f702031c0c7' +
      'ce01d00c632722029841d4555a5044444cd606420000d7040000d80309024d204c69d93035da333285',
  ],
  [
    'the id',
    [ID, `SIM-${ID}.`],
    '0108800194010153494d2d303161323061376337643833666639613933663034620550072066057549a0',
  ],
  [
    'other hexadecimal ids',
    ['00ff00ff00ff00ff0123456789abcdef', '{"sessionId":"ffffffffffffffffffffffffffffffff"}'],
    '01088001c0010200ff00ff00ff00ff0123456789abcdef82e32c02ffffffffffffffffffffffffffffffff84',
  ],
  [
    'a repeated text',
    ['{"a":"Hauptstrasse 5","b":"Hauptstrasse 5","c":"Hauptstrasse 6"}'],
    '010480028261814861757074737472617373652035806281031100156381030d00153684',
  ],
  [
    'an odd number of digits',
    ['12345', '2026-11-23 23:32:09.123+0000,'],
    '010814741f123452026b11b23d23c32c09a123e00030302c',
  ],
  [
    'numbers, arrays, true, false and null',
    ['{"expiresAtMs":1795472260483,"final":true,"x":[1,-2.5e3,null,false]}'],
    '01049002826578706972657341744d73220fc1795472260483f02266696e616c8f8a78223a5b061fb2a565332ce3362ce3355d7d',
  ],
  [
    'escapes',
    ['{"a":"\\u0001 \\" \\\\ \\n"}', '\u0000\u0001\u007f'],
    '01085c0c8261815c75050001d05c22205c5c205c6e84000300017f',
  ],
  [
    'UTF-8',
    ['{"city":"Zürich","street1":"北京 12345","x":"😀"}'],
    '0105bc0182e0c05a0002c3bc72696368e0b90006e58c97e4baac06d123458078810004f09f988084',
  ],
  ['a lone surrogate', ['{"city":"\ud83d"}', '\ude00'], '010a30047b002200630069007400790022003a0022003dd822007d0000de'],
]

describe('stored records', () => {
  for (const [name, values, hex] of stored) {
    test(`${name}: encoding`, () => expect(hexOf(values)).toBe(hex))
    test(`${name}: decoding`, () => expect(decodeHex(hex)).toStrictEqual(values))
  }
})

test('words of a stored version never change', () => {
  // Records contain the indexes of words. For other words, add a version of the format beside this one and keep these.
  expect(createHash('sha256').update(words.join('\n')).digest('hex')).toBe(
    '6216d87527e97469e7feb9eaecbe3daa58d1f6e00e40cd4e42406962e940c83b',
  )
  expect(shortWords).toBe(96)
})

test('words have a code, and the length and the characters that tokens and look-ups assume', () => {
  expect(words.length).toBeLessThanOrEqual(96 + 32 * 256)
  for (const word of words) expect(word).toMatch(/^[ -~]{2,252}$/)
})

test('every word is one token', () => {
  for (const [code, word] of words.entries()) {
    const record = encodeRecord([word], ID)
    const head = word.length < 32 ? 3 : 4
    expect(record.length - head, word).toBe(words.indexOf(word) < shortWords ? 1 : 2)
    expect(decodeRecord(record, ID), String(code)).toStrictEqual([word])
  }
})

test('a record of an ordinary payment has less than a quarter of the bytes of its values', () => {
  expect(encodeRecord(payment, ID).length * 4).toBeLessThan(JSON.stringify(payment).length)
})

const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  // Texts of words, parts of words, digits and the id.
  fc
    .array(fc.oneof(fc.constantFrom(...words), fc.constantFrom(ID, '"', 'é'), fc.stringMatching(/^[\da-f.-]{0,40}$/)))
    .chain((parts) => fc.nat(3).map((cut) => parts.map((part) => part.slice(cut)).join(''))),
)
const anyJson = fc.oneof(
  fc.json(),
  fc.object({ key: fc.oneof(fc.constantFrom('customer', 'city', 'result', 'code'), anyText) }).map((value) => {
    return JSON.stringify(value)
  }),
  anyText.map((text) => `{${text}`),
)
const anyValues = fc.array(fc.oneof(anyText, anyJson, fc.maxSafeInteger(), fc.constantFrom(null, 0, -0)))
const anyId = fc.oneof(fc.constant(ID), anyText)

describe('properties', () => {
  test('decoding returns the encoded values', () => {
    fc.assert(
      fc.property(anyValues, anyId, (values, id) => {
        expect(decodeRecord(encodeRecord(values, id), id)).toStrictEqual(values)
      }),
      { numRuns },
    )
  })

  test('values that contain the id return with it', () => {
    fc.assert(
      fc.property(anyId, anyText, anyText, (id, before, after) => {
        const values = [`${before}${id}${after}`, `"${id}"`, id.slice(1), id]
        expect(decodeRecord(encodeRecord(values, id), id)).toStrictEqual(values)
      }),
    )
  })

  test('a record does not depend on earlier records', () => {
    fc.assert(
      fc.property(anyValues, anyValues, (values, others) => {
        const record = encodeRecord(values, ID)
        encodeRecord(others, ID)
        expect(encodeRecord(values, ID)).toStrictEqual(record)
      }),
    )
  })

  test('records that share memory stay as they are', () => {
    const rows = Array.from({ length: 1000 }, (_, index): Values => [index, 'é'.repeat(index % 50), `row ${index}`])
    const records = rows.map((values) => encodeRecord(values, ID))
    expect(records.map((record) => decodeRecord(record, ID))).toEqual(rows)
    expect(new Set(records.map(({ buffer }) => buffer)).size).toBeGreaterThan(1)
  })

  test('texts larger than the reused buffers return', () => {
    for (const text of [
      'x'.repeat(200_000),
      'é'.repeat(100_000),
      `\ud800${'x'.repeat(100_000)}`,
      '\u0001'.repeat(70_000),
    ]) {
      const values = [text, `{"a":"${text}"}`]
      expect(decodeRecord(encodeRecord(values, ID), ID)).toStrictEqual(values)
    }
  })

  test('texts beyond the bounds of tokens return', () => {
    const long = words.join('').replaceAll('"', '-').repeat(2)
    const apart = `{"a":"Hauptstrasse","b":"${'x'.repeat(70_000)}","c":"Hauptstrasse"}`
    const values = ['7'.repeat(100), `{"a":"${long}","b":"${long}"}`, apart]
    expect(decodeRecord(encodeRecord(values, ID), ID)).toStrictEqual(values)
  })

  test('an id that is longer than a token may be returns', () => {
    const id = 'x'.repeat(5000)
    expect(decodeRecord(encodeRecord([id], id), id)).toStrictEqual([id])
  })

  test('the bytes of an earlier text after the end of a text do not complete the id', () => {
    encodeRecord(['--ab-cd'], 'ab\0cd')
    const record = encodeRecord(['--ab'], 'ab\0cd')
    expect(decodeRecord(record, 'ab\0cd')).toStrictEqual(['--ab'])
  })

  test('every truncated record is refused', () => {
    fc.assert(
      fc.property(anyValues, fc.nat(), (values, position) => {
        const record = encodeRecord(values, ID)
        expect(() => decodeRecord(record.subarray(0, position % record.length), ID)).toThrow(StorageError)
      }),
    )
  })

  test('a changed record is refused or has other values', () => {
    fc.assert(
      fc.property(fc.oneof(fc.constant(payment), anyValues), fc.array(fc.nat(), { minLength: 1 }), (values, bits) => {
        const record = encodeRecord(values, ID)
        for (const bit of bits) {
          const index = (bit >>> 3) % record.length
          record[index] = (record[index] ?? 0) ^ (1 << (bit & 7))
        }
        expectValuesOrStorageError(record)
      }),
      { numRuns },
    )
  })

  test('any bytes are refused or have values', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => expectValuesOrStorageError(Uint8Array.from([1, ...bytes]))),
      { numRuns },
    )
  })
})

function expectValuesOrStorageError(record: Uint8Array): void {
  try {
    for (const value of decodeRecord(record, ID)) {
      expect(value === null || typeof value === 'string' || Number.isSafeInteger(value)).toBe(true)
    }
  } catch (error) {
    expect(error).toBeInstanceOf(StorageError)
  }
}

const damage: readonly (readonly [name: string, hex: string])[] = [
  ['no byte', ''],
  ['another version', '0200'],
  ['no number of values', '01'],
  ['more values than bytes', '01fcffffff0f'],
  ['an unknown encoding', '0103'],
  ['an endless number', `010482${'80'.repeat(400)}00`],
  ['an integer that is not safe', '0104feffffffffffffff7f'],
  ['a length of a petabyte', '0104fcffffffffffff01'],
  ['a text that is too long', '0104046162'],
  ['a text that is too short', '01040861'],
  ['a byte that begins no token', '0104047f'],
  ['a word beyond the list', '010404ffff'],
  ['a word without its second byte', '01040ce0'],
  ['a copy from before the text', '01040c6103020002'],
  ['a copy from its own start', '01040c6103020000'],
  ['a copy without its distance', '01040c6103'],
  ['raw bytes that are missing', '0104100004616263'],
  ['packed characters that are missing', '0104100412'],
  ['hexadecimal digits that are missing', '010480010200'],
  ['half a UTF-16 unit', '01060461'],
  ['a UTF-16 unit and a half', '010604610062'],
  ['a UTF-16 unit too many', '01060461006200'],
  ['UTF-8 of another length', '0105080002c3a9'],
]

describe('damaged records', () => {
  for (const [name, hex] of damage) test(name, () => expect(() => decodeHex(hex)).toThrow(StorageError))

  test('more words than the text may have', () => {
    const stretch = words.indexOf(words.slice(0, shortWords).reduce((a, b) => (b.length > a.length ? b : a)))
    const record = Buffer.concat([Buffer.from([1, 4, 4]), Buffer.alloc(1000, 0x80 + stretch)])
    expect(() => decodeRecord(record, ID)).toThrow(StorageError)
  })

  test('an id that is longer than the text', () => {
    expect(() => decodeHex('01040401', 'x'.repeat(100_000))).toThrow(StorageError)
  })
})

test('a number that is not a safe integer is refused', () => {
  for (const number of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    expect(() => encodeRecord([number], ID)).toThrow(StorageError)
  }
})
