import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ClearingEntry, readClearingFile } from './read-clearing-file.ts'
import type { Presentment } from './records.ts'
import { writeClearingFile } from './write-clearing-file.ts'

const facts = { institute: 'North', fileId: 'north/2026-06-15', sequence: 3, businessDay: '2026-06-15' }
const first: Presentment = {
  clearingMerchantId: 'NORTH0000000001',
  currency: 'EUR',
  presentmentId: '8a8294174d0595bb014d05d829cb01cd',
  reference: '616612000007',
  terminalId: 'TERM0001',
  originalData: '010000000306151200000000040012300000000000',
  approvalCode: 'A1B2C3',
  networkTransactionId: '400000000000001',
  captureSequence: 1,
  captureCount: 2,
  amountMinor: 6000,
  capturedAtMs: Date.UTC(2026, 5, 15, 12, 30, 5),
}
const second: Presentment = { ...first, presentmentId: 'f'.repeat(32), captureSequence: 2, amountMinor: 3200 }
const foreign: Presentment = { ...first, presentmentId: 'e'.repeat(32), currency: 'KWD', amountMinor: 1255 }

async function write(presentments: readonly Presentment[]): Promise<string> {
  let text = ''
  for await (const piece of writeClearingFile(facts, presentments)) text += piece
  return text
}

async function read(text: string): Promise<readonly ClearingEntry[]> {
  const entries: ClearingEntry[] = []
  for await (const entry of readClearingFile([Buffer.from(text)])) entries.push(entry)
  return entries
}

const sample = await write([first, second, foreign])
const lines = sample.split('\n')

/** The sample with a change in one line, from 1. */
const edit = (number: number, from: string, to: string): string => {
  const line = lines[number - 1] ?? ''
  expect(line).toContain(from)
  return lines.with(number - 1, line.replace(from, to)).join('\n')
}

describe('a clearing file', () => {
  it('has a header, a batch for each merchant and currency, and totals', () => {
    expect(lines.map((line) => line.slice(0, 2))).toEqual(['CH', 'BH', 'PR', 'PR', 'BT', 'BH', 'PR', 'BT', 'CT', ''])
    expect(lines[0]?.trimEnd()).toBe(`CH0000000101${'North'.padEnd(40)}${facts.fileId.padEnd(80)}00000000320260615`)
    expect(lines[1]?.trimEnd()).toBe('BH00000002NORTH0000000001EUR')
    expect(lines[2]?.trimEnd()).toBe(
      `PR00000003${first.presentmentId}616612000007TERM0001${first.originalData}A1B2C3${'400000000000001'.padEnd(32)}` +
        '010200000000000600020260615123005',
    )
    expect(lines[4]?.trimEnd()).toBe('BT00000005000000020000000000009200')
    expect(lines[8]?.trimEnd()).toBe('CT000000090000000200000003000000000010455')
  })

  it('without presentments has no batch', async () => {
    expect(await read(await write([]))).toEqual([{ kind: 'summary', ...facts, presentmentCount: 0 }])
  })

  it('is read as it was written', async () => {
    const presentments = fc.array(
      fc.record({
        currency: fc.constantFrom('EUR', 'JPY'),
        approvalCode: fc.option(fc.constantFrom('A1B2C3', '000001'), { nil: undefined }),
        captureSequence: fc.integer({ min: 1, max: 99 }),
        amountMinor: fc.integer({ min: 1, max: 99_999_999_999 }),
      }),
      { maxLength: 20 },
    )
    await fc.assert(
      fc.asyncProperty(presentments, async (changes) => {
        const written = changes.map((change) => ({ ...first, ...change }))
        const entries = await read(await write(written))
        expect(entries.flatMap((entry) => (entry.kind === 'presentment' ? [entry.presentment] : []))).toEqual(written)
        expect(entries.at(-1)).toEqual({ kind: 'summary', ...facts, presentmentCount: written.length })
      }),
    )
  })

  it.each<readonly [name: string, text: () => string, line: number, reason: string]>([
    ['that is cut', () => lines.slice(0, 5).join('\n'), 6, 'TRUNCATED'],
    ['with a missing presentment', () => lines.toSpliced(3, 1).join('\n'), 4, 'RECORD_NUMBER'],
    ['with another amount', () => edit(3, '000000000006000', '000000000006001'), 5, 'TOTAL'],
    ['with another count', () => edit(5, '00000002', '00000003'), 5, 'COUNT'],
    ['with another hash total', () => edit(9, '10455', '10456'), 9, 'TOTAL'],
    ['with another number of batches', () => edit(9, '0000000200000003', '0000000100000003'), 9, 'COUNT'],
    ['without the number of a capture', () => edit(3, ' 0102', '   02'), 3, 'MISSING'],
    ['of another version', () => edit(1, 'CH0000000101', 'CH0000000102'), 1, 'VALUE'],
    ['with data after the end', () => `${sample}x`, 10, 'TRAILING'],
    ['that is a settlement file', () => 'FH0000000101', 1, 'RECORD_TYPE'],
  ])('%s has a fault', async (_, text, line, reason) => {
    expect((await read(text())).at(-1)).toMatchObject({ kind: 'fault', line, reason })
  })

  it.each([
    ['Reference', { reference: 'x'.repeat(13) }],
    ['OriginalData', { originalData: 'a\nb' }],
    ['CaptureSequence', { captureSequence: 100 }],
  ])('cannot express an invalid value: %s', async (name, change) => {
    await expect(write([{ ...first, ...change }])).rejects.toThrow(new RegExp(`^${name}: must be `))
  })
})
