import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  amount,
  anyDate,
  anyLetters,
  bearerHeader,
  chars,
  country,
  currency,
  date,
  exactAmount,
  legacyAmount,
  listOf,
  oneOf,
  sequence,
  text,
  timestamp,
  url,
  words,
  zonedTimestamp,
} from './format.ts'
import { cronExpression } from './format-cron.ts'
import type { Format } from './row.ts'
import { sections } from './sections.ts'
import { codePoint } from './testing/code-point.ts'

const formatOf = (name: string): Format => {
  const parameter = sections.flatMap(({ rows }) => rows).find((row) => row.name === name)
  if (parameter === undefined) throw new Error(`no parameter ${name}`)
  return parameter.format
}

const table: readonly [title: string, format: Format, valid: readonly string[], invalid: readonly string[]][] = [
  [
    'TXT(2,4)',
    text(2, 4),
    ['ab', 'abcd', '𝄞𝄞', '𝄞𝄞𝄞𝄞', 'a\tb', 'a\r\nb'],
    ['a', '𝄞', 'abcde', '𝄞𝄞𝄞𝄞𝄞', 'a\0', 'a\x7f'],
  ],
  ['TXT(3)', text(0, 3), ['', 'a', 'abc'], ['abcd', '\x1b']],
  ['digits', chars('digits', 3, 4), ['123', '1234'], ['12', '12345', '12a', '１２３', '12 ']],
  [
    'sequence',
    sequence('', ['letters', 2, 2], ['digits', 1, 3]),
    ['ab1', 'ZZ123'],
    ['a1', 'ab', '1ab', 'ab1234', 'ab12c'],
  ],
  ['words', words(1, 3), ['Åsa', 'a b', 'é', '東京都'], ['a-b', '', 'abcd', 'a!']],
  ['letters', anyLetters(1, 6), ['Köln', '東京'], ['New York', 'a1', '']],
  ['oneOf', oneOf('A', 'B'), ['A', 'B'], ['', 'a', 'AB', 'A,B']],
  ['listOf', listOf('x', ['A', 'B']), ['A', 'A,B', 'B,B'], ['', 'A,', ',A', 'C', 'A,B,A', 'A B']],
  [
    'AMT',
    amount,
    ['0', '92', '92.00', '1234567890.99'],
    ['12345678901', '1.0', '1.000', '.50', '1.', '-1', '1,00', ''],
  ],
  ['AMT2', exactAmount, ['0.00', '1234567890.99'], ['92', '12345678901.00', '1.0', '1.000']],
  ['AMT of older platforms', legacyAmount, ['10', '123456789012.00'], ['1234567890123', '1.0']],
  [
    'DATE',
    date,
    ['1900-01-01', '2024-02-29', '2000-02-29', '2099-12-31'],
    [
      '2023-02-29',
      '2024-02-30',
      '1900-02-29',
      '2024-13-01',
      '2024-00-10',
      '1899-12-31',
      '2100-01-01',
      '2024-2-9',
      '2024-04-31',
    ],
  ],
  ['yyyy-mm-dd', anyDate, ['9999-12-31', '0001-01-01'], ['9999-02-29', '99-01-01']],
  [
    'TS',
    timestamp,
    ['2024-02-29 23:59:59', '1999-01-01 00:00:00'],
    [
      '2023-02-29 00:00:00',
      '2024-01-01 24:00:00',
      '2024-01-01 00:60:00',
      '2024-01-01 00:00:60',
      '2024-01-01',
      '2024-01-01T00:00:00',
    ],
  ],
  [
    'TS with zone offset',
    zonedTimestamp,
    ['2024-01-01 00:00:00+0000', '2024-01-01 00:00:00.123-03:30', '2024-01-01 00:00:00Z', '2024-01-01 00:00:00 +0100'],
    ['2024-01-01 00:00:00', '2024-02-30 00:00:00Z'],
  ],
  ['CUR', currency, ['EUR', 'JPY'], ['eur', 'EU', 'EURO', 'AAA', '978']],
  ['CC2', country, ['DE', 'de', 'US'], ['D', 'DEU', 'AA', '49']],
  [
    'URL',
    url(6, 40),
    ['https://shop.example/?a=1', 'com.shop.app://result', 'a://bc'],
    [
      '/return',
      'shop.example',
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      'data:text/html,x',
      `https://${'a'.repeat(40)}`,
      'https://a\0',
    ],
  ],
  ['header', bearerHeader, ['Bearer abc='], ['bearer abc', 'Basic abc', 'Bearer ', 'Bearer a b']],
  [
    'cron expression',
    cronExpression,
    ['0 0 0 1 * ?', '0 0 12 ? JAN-DEC MON#2 2024/2'],
    ['0 0 0 1 *', '0 0 0 1 * ? * *', '0 0 0 1 * $'],
  ],
  ['numberOfCaptures', formatOf('numberOfCaptures'), ['1', '9', '10', '98'], ['0', '99', '01', '-1', '1.0']],
  ['card.expiryMonth', formatOf('card.expiryMonth'), ['01', '12'], ['00', '13', '1']],
  ['card.expiryYear', formatOf('card.expiryYear'), ['1999', '2034'], ['2134', '34', '20345']],
  [
    'bankAccount.bic',
    formatOf('bankAccount.bic'),
    ['DEUTDEFF', 'DEUTDEFF500'],
    ['DEUTDEFF5', 'DEUTDEF', 'DEUTDEFF50!'],
  ],
  [
    'customer.phone',
    formatOf('customer.phone'),
    ['+', '+49 (30) 12-3.4/5', '1'.repeat(25)],
    ['(030) 1', '1'.repeat(26), '+x'],
  ],
  [
    'recipient.phone',
    formatOf('recipient.phone'),
    ['+4912345', '1'.repeat(26)],
    ['+491234', '1'.repeat(27), '+49/12345'],
  ],
  [
    'cart.items[n].tax',
    formatOf('cart.items[n].tax'),
    ['0', '19', '7.5', '100', '100.00'],
    ['100.01', '101', '1.234', '-1'],
  ],
  [
    'cart.items[n].quantity',
    formatOf('cart.items[n].quantity'),
    ['1', '123456789012.125'],
    ['1234567890123', '1.', '1.2345'],
  ],
  [
    'pos.location.latitude',
    formatOf('pos.location.latitude'),
    ['52.5', '-0.12345678'],
    ['52', '52.123456789', '1000.1'],
  ],
  [
    'job.dayOfMonth',
    formatOf('job.dayOfMonth'),
    ['1', '31', '1,15', 'L', 'LW', '15W', 'L-3', '*/2', '?'],
    ['0', '32', '99', '1 2', 'SUN'],
  ],
  ['job.dayOfWeek', formatOf('job.dayOfWeek'), ['1', 'SUN', 'MON-FRI', '6L', '6#3'], ['0', '8', 'SON', '1W']],
  ['job.year', formatOf('job.year'), ['*', '1970', '2099', '2024/2', '2024-2030'], ['1969', '2100', '24', '?']],
  ['job.minute', formatOf('job.minute'), ['0', '59', '05'], ['60', '0,30', '*']],
  [
    'chargebackResultCode',
    formatOf('chargebackResultCode'),
    ['000.100.201'],
    ['000.100.301', '000.100.2', '000.100.2012', '000x100y201'],
  ],
  ['query.limit', formatOf('limit'), ['100', '499', '500'], ['99', '501', '0100']],
]

test.each(table)('the format %s accepts the valid values and no invalid value', (_, format, valid, invalid) => {
  expect(valid.filter((value) => !format.accepts(value))).toEqual([])
  expect(invalid.filter((value) => format.accepts(value))).toEqual([])
})

const rows = sections.flatMap((section) => section.rows)
const formats = [...new Set(rows.flatMap(({ format, legacy, key }) => [format, legacy, key]))].filter(
  (format) => format !== undefined,
)
const ajv = new Ajv2020({ strictTypes: true, formats: { uri: true } })

/** Random strings of any characters, and of the characters that the formats accept. */
const strings = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789.-+ ABCabc_,*/?#LW')), maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), maxLength: 34 }),
  fc
    .tuple(fc.integer({ min: 1890, max: 2110 }), fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 32 }))
    .map(([year, month, day]) => [year, month, day].map((part) => String(part).padStart(2, '0')).join('-')),
)

describe('a JSON Schema accepts the values of its format, and others only if it cannot express the rule', () => {
  // A schema cannot express that a date exists, that a code is in a list of ISO, or that a URL is valid.
  const kindsWithWiderSchema = new Set(['date', 'timestamp', 'currency', 'country', 'url'])
  test.each(formats.map((format) => [format.describe, format] as const))('%s', (_, format) => {
    const isValid = ajv.compile(format.schema)
    fc.assert(
      fc.property(strings, (value) => {
        const accepted = format.accepts(value)
        if (kindsWithWiderSchema.has(format.kind)) expect(accepted && !isValid(value)).toBe(false)
        else expect(accepted).toBe(isValid(value))
      }),
    )
  })
})

test('a format accepts the bytes of a secret if and only if it accepts their text', () => {
  const secretFormats = formats.filter((format) => format.acceptsBytes !== undefined)
  expect(secretFormats.length).toBeGreaterThan(5)
  fc.assert(
    fc.property(strings, fc.constantFrom(...secretFormats), (value, format) => {
      expect(format.acceptsBytes?.(new TextEncoder().encode(value))).toBe(format.accepts(value))
    }),
    { numRuns: 2_000 },
  )
})

test('every error message has one of the known forms', () => {
  const style = /^(must match \^.*\$|must be one of \[.+\]|must be an? .+)$/
  expect(formats.map(({ message }) => message).filter((message) => !style.test(message))).toEqual([])
})
