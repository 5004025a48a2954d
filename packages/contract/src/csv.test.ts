import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvField, type SpreadsheetCell, spreadsheetLine } from './csv.ts'

describe('csvField', () => {
  test.each([
    ['plain', 'plain'],
    ['', ''],
    [' spaces, commas and \t tabs ', ' spaces, commas and \t tabs '],
    ['=1+1', '=1+1'],
    ['a;b', '"a;b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\rlines', '"two\rlines"'],
    ['"', '""""'],
  ])('%j is written as %j', (value, field) => {
    expect(csvField(value)).toBe(field)
  })

  test('a reader of RFC 4180 reads the same value', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ';', '"', '\n', '\r', 'é', '😀', ' ') }), (value) => {
        const field = csvField(value)
        expect(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field).toBe(value)
      }),
    )
  })
})

describe('spreadsheetLine', () => {
  test.each<[cells: readonly SpreadsheetCell[], line: string]>([
    [['total', 3, { decimal: '12.34' }], 'total;3;12.34\n'],
    [[-1, { decimal: '-12.34' }], '-1;-12.34\n'],
    [['-12.34'], "'-12.34\n"],
    [['=HYPERLINK("http://a;b")'], `"'=HYPERLINK(""http://a;b"")"\n`],
    [['+49 30 1234'], "'+49 30 1234\n"],
    [['@SUM(A1)'], "'@SUM(A1)\n"],
    [['\t=1'], "'\t=1\n"],
    [['\r=1'], `"'\r=1"\n`],
    [['\n=1'], `"'\n=1"\n`],
    [['＝1', '＋1', '－1', '＠a'], "'＝1;'＋1;'－1;'＠a\n"],
    [['a=1', '2026-11-28', ''], 'a=1;2026-11-28;\n'],
    [[], '\n'],
  ])('%j', (cells, line) => {
    expect(spreadsheetLine(cells)).toBe(line)
  })

  test.each<[SpreadsheetCell]>([
    [Number.NaN],
    [1e21],
    [0.000_000_1],
    [{ decimal: '=1' }],
    [{ decimal: '1;2' }],
    [{ decimal: '' }],
    [{ decimal: '+1' }],
  ])('%j is no number in decimal digits', (cell) => {
    expect(() => spreadsheetLine([cell])).toThrow('a number in a spreadsheet consists of decimal digits')
  })
})
