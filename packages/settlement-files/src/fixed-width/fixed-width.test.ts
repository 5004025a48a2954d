import type { SettlementRow } from '@tollgate/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomFacts, randomRow, statedMembers } from '../testing/random-rows.ts'
import { readBytes, readFault, readText } from '../testing/read-text.ts'
import { writeSettlementFile } from '../write-settlement-file.ts'
import { batchMembers, fixedWidthSpec, records } from './records.ts'

/** The longest reference of a host by ISO 8583 (field 90). */
const ORIGINAL_DATA = '022000000211200930150000040012300000000000'
const UNIQUE_ID = '8a8294174d0595bb014d05d829cb01cd'
const blanks = (length: number): string => ' '.repeat(length)
const record = (...cells: readonly string[]): string => cells.join('').padEnd(529)

const FILE_HEADER = record(
  'FH00000001',
  '01',
  'Sample Acquirer'.padEnd(35),
  '20261127-1'.padEnd(35),
  '000000331',
  '20261128',
  '20261127',
)
const BATCH_HEADER = record('BH00000002', '4711-0815'.padEnd(64), 'S-1'.padEnd(64), 'EUR', '20261127')
const REFERENCES = [
  UNIQUE_ID,
  '1234.5678.9012',
  'order 17'.padEnd(64),
  '74123456789012345678901'.padEnd(32),
  ORIGINAL_DATA.padEnd(64),
  blanks(32),
  '123456',
  blanks(32),
  '01',
  'T1234567'.padEnd(16),
  'VISA'.padEnd(16),
  '411111  ',
  '1111',
  blanks(12),
  'Jane Jones'.padEnd(40),
  'Sample shop, Köln'.padEnd(40),
]
const DETAIL = record(
  'DT00000003',
  'DB+S',
  'EUR',
  '000000000009200',
  '000000000009200',
  '000000000000138',
  blanks(21),
  '20261126225958',
  ...REFERENCES,
)
const CHARGEBACK = record(
  'CB00000004',
  'DB-S',
  'KWD',
  '000000000001255',
  '000000000000375',
  blanks(15),
  '3.3466'.padEnd(21),
  blanks(14),
  ...REFERENCES,
  '10.4'.padEnd(10),
  '20261227',
)
const FEE = record('FE00000005', 'MO-S', 'EUR', '000000000001999', '000000000001999', blanks(64), 'November'.padEnd(40))
const BATCH_TRAILER = record('BT00000006', '00000003', '0000000000009200', '0000000000002374')
const FILE_TRAILER = record('FT00000007', '00000001', '00000003', '000000000011574')
const LINES = [FILE_HEADER, BATCH_HEADER, DETAIL, CHARGEBACK, FEE, BATCH_TRAILER, FILE_TRAILER]
const file = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')
const sample = file(LINES)

const shared = {
  clearingMerchantId: '4711-0815',
  settlementId: 'S-1',
  settlementCurrency: 'EUR',
  settledOn: '2026-11-27',
  status: 'SUCCESS',
}

const references = {
  uniqueId: UNIQUE_ID,
  shortId: '1234.5678.9012',
  merchantTransactionId: 'order 17',
  connectorTxId1: '74123456789012345678901',
  connectorTxId2: ORIGINAL_DATA,
  approvalCode: '123456',
  clearingSequence: 1,
  terminalId: 'T1234567',
  brand: 'VISA',
  bin: '411111',
  last4: '1111',
  holder: 'Jane Jones',
  descriptor: 'Sample shop, Köln',
}

describe('the fixed-width format', () => {
  it('has rows and a summary', async () => {
    const entries = await readText('fixed-width', sample)
    expect(entries.flatMap((entry) => (entry.kind === 'row' ? [entry.row] : []))).toStrictEqual([
      {
        line: 3,
        kind: 'SETTLED',
        type: 'DEBIT',
        cashflow: 'POS',
        ...shared,
        ...references,
        currency: 'EUR',
        amountMinor: 9_200,
        settlementAmountMinor: 9_200,
        feeMinor: 138,
        presentedAtMs: Date.UTC(2026, 10, 26, 22, 59, 58),
      },
      {
        line: 4,
        kind: 'CHARGEBACK',
        type: 'DEBIT',
        cashflow: 'NEG',
        ...shared,
        ...references,
        currency: 'KWD',
        amountMinor: 1_255,
        settlementAmountMinor: 375,
        fxRate: '3.3466',
        reason: '10.4',
        dueOn: '2026-12-27',
      },
      {
        line: 5,
        kind: 'FEE',
        type: 'MONTHLY',
        cashflow: 'NEG',
        ...shared,
        currency: 'EUR',
        amountMinor: 1_999,
        settlementAmountMinor: 1_999,
        descriptor: 'November',
      },
    ])
    expect(entries.at(-1)).toStrictEqual({
      kind: 'summary',
      format: 'fixed-width',
      institute: 'Sample Acquirer',
      fileId: '20261127-1',
      sequence: 331,
      createdOn: '2026-11-28',
      settledOn: '2026-11-27',
      rowCount: 3,
      bankEntryCount: 0,
      totals: [
        { currency: 'EUR', cashflow: 'NEG', rowCount: 2, amountMinor: 2_374 },
        { currency: 'EUR', cashflow: 'POS', rowCount: 1, amountMinor: 9_200 },
      ],
    })
  })

  it('has records of one length', () => expect(fixedWidthSpec.length).toBe(529))

  it('may have CRLF, and is the same in chunks of any length', async () => {
    const expected = await readText('fixed-width', sample)
    expect(await readText('fixed-width', sample.replaceAll('\n', '\r\n'))).toStrictEqual(expected)
    expect(await readBytes('fixed-width', Buffer.from(sample), 1)).toStrictEqual(expected)
  })

  it('can be written and read: the same rows, as far as the format has the fields', async () => {
    await fc.assert(
      fc.asyncProperty(randomFacts, fc.array(randomRow, { maxLength: 20 }), async (facts, rows) => {
        const bytes = Buffer.concat([...writeSettlementFile('fixed-width', facts, { rows })])
        const entries = await readBytes('fixed-width', bytes)
        const read = entries.flatMap((entry) => (entry.kind === 'row' ? [statedMembers(entry.row)] : []))
        expect(read).toStrictEqual(rows.map(expressible))
        expect(entries.at(-1)).toMatchObject({ kind: 'summary', ...facts, rowCount: rows.length })
      }),
    )
  })

  it.each([
    ['line breaks', { descriptor: 'Sample\nshop' }, 'Descriptor'],
    ['a text that is too long', { descriptor: 'x'.repeat(41) }, 'Descriptor'],
    ['a control character', { holder: 'Jane\0Jones' }, 'AccountHolder'],
    ['an amount beyond the bound', { amountMinor: 1e15 }, 'Amount'],
    ['an impossible day', { dueOn: '2026-02-30' }, 'DueDate'],
  ])('cannot express %s', async (_, change, name) => {
    const [, entry] = await readText('fixed-width', sample)
    if (entry?.kind !== 'row') throw new Error('the second entry is a chargeback')
    const rows = [{ ...entry.row, ...change }]
    const facts = { institute: 'Sample', fileId: '1', sequence: 1, createdOn: '2026-11-28', settledOn: '2026-11-27' }
    const write = () => [...writeSettlementFile('fixed-width', facts, { rows })]
    expect(write).toThrow(RangeError)
    expect(write).toThrow(new RegExp(`^${name}: must be `))
  })
})

const recordOfKind = { SETTLED: 'DT', CHARGEBACK: 'CB', 'CHARGEBACK REVERSAL': 'CR', FEE: 'FE' } as const

/** The members of a row for which its record or batch header has a field. */
function expressible(row: SettlementRow): object {
  const members = new Set<string>(['kind', ...batchMembers])
  for (const { member } of records[recordOfKind[row.kind]].fields) members.add(member)
  return Object.fromEntries(Object.entries(statedMembers(row)).filter(([member]) => members.has(member)))
}

const edit = (line: string, from: string, to: string): string => {
  expect(line).toContain(from)
  return sample.replace(line, line.replace(from, to))
}

const without = (line: string): string => file(LINES.filter((other) => other !== line))

describe('a fault of the fixed-width format', () => {
  it.each<readonly [name: string, text: () => string, fault: string]>([
    ['an empty file', () => '', '1:1 TRUNCATED'],
    ['no file trailer', () => without(FILE_TRAILER), '7:1 TRUNCATED'],
    ['cut within a record', () => sample.slice(0, 2 * 530 + 300), '3:301 LINE_LENGTH'],
    ['no batch trailer', () => without(BATCH_TRAILER), '6:1 RECORD_ORDER'],
    ['no batch header', () => without(BATCH_HEADER), '2:1 RECORD_ORDER'],
    ['no file header', () => without(FILE_HEADER), '1:1 RECORD_ORDER'],
    ['records in another order', () => file([...LINES.slice(0, 3), FEE, CHARGEBACK]), '4:3 RecordNumber RECORD_NUMBER'],
    ['a duplicate record', () => sample.replace(DETAIL, `${DETAIL}\n${DETAIL}`), '4:3 RecordNumber RECORD_NUMBER'],
    ['a missing record', () => without(CHARGEBACK), '4:3 RecordNumber RECORD_NUMBER'],
    ['data after the trailer', () => `${sample}${FILE_TRAILER}\n`, '8:1 TRAILING'],
    ['an empty line after the trailer', () => `${sample}\n`, '8:1 TRAILING'],
    ['an unknown record', () => edit(FEE, 'FE', 'XX'), '5:1 RECORD_TYPE'],
    ['a name of a property', () => `constructor${blanks(518)}`, '1:1 RECORD_TYPE'],
    ['another version', () => edit(FILE_HEADER, 'FH0000000101', 'FH0000000102'), '1:11 Version VALUE'],
    ['a short record', () => edit(FEE, FEE, FEE.slice(0, -1)), '5:529 LINE_LENGTH'],
    ['a long record', () => edit(FEE, FEE, `${FEE} `), '5:530 LINE_LENGTH'],
    ['a gigantic line', () => edit(FEE, FEE, FEE + blanks(100_000)), '5:8193 LINE_LENGTH'],
    ['data in the filler', () => edit(FEE, FEE, `${FEE.slice(0, -1)}x`), '5:152 Filler VALUE'],
    ['a wrong count of the batch', () => edit(BATCH_TRAILER, '00000003', '00000004'), '6:11 Rows COUNT'],
    ['a wrong sum of the batch', () => edit(BATCH_TRAILER, '9200', '9201'), '6:19 SumPositive TOTAL'],
    ['a wrong negative sum', () => edit(BATCH_TRAILER, '2374', '2373'), '6:35 SumNegative TOTAL'],
    ['a wrong count of batches', () => edit(FILE_TRAILER, '00000001', '00000002'), '7:11 Batches COUNT'],
    ['a wrong count of rows', () => edit(FILE_TRAILER, '00000003', '00000002'), '7:19 Rows COUNT'],
    ['a wrong hash total', () => edit(FILE_TRAILER, '11574', '11573'), '7:27 HashTotal TOTAL'],
    ['an amount with a sign', () => edit(DETAIL, '000000000009200', '-00000000009200'), '3:18 Amount AMOUNT'],
    ['an amount with a dot', () => edit(DETAIL, '000000000009200', '0000000000092.0'), '3:18 Amount AMOUNT'],
    ['a blank amount', () => edit(DETAIL, '000000000009200', blanks(15)), '3:18 Amount MISSING'],
    ['an unknown currency', () => edit(DETAIL, 'EUR', 'XXX'), '3:15 Currency CURRENCY'],
    ['an unknown type', () => edit(DETAIL, 'DB', 'BA'), '3:11 PaymentType VALUE'],
    ['an unknown direction', () => edit(DETAIL, 'DB+', 'DB*'), '3:13 Cashflow VALUE'],
    ['an impossible day', () => edit(BATCH_HEADER, '20261127', '20260230'), '2:142 SettlementDate DATE'],
    ['an impossible time', () => edit(DETAIL, '20261126225958', '20261126245958'), '3:84 TxRequestTime DATE'],
    ['NUL', () => edit(DETAIL, 'Jane', 'J\0ne'), '3:433 CONTROL_CHARACTER'],
  ])('%s', async (_, text, fault) => {
    expect(await readFault('fixed-width', text())).toBe(fault)
  })

  it('a wrong encoding', async () => {
    expect(await readFault('fixed-width', Buffer.from(sample, 'latin1'))).toBe('3:486 ENCODING')
    expect(await readFault('fixed-width', Buffer.from(`\uFEFF${sample}`, 'utf16le'))).toBe('1:1 ENCODING')
  })
})
