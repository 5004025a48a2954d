import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomFacts, randomRow, statedMembers } from '../testing/random-rows.ts'
import { readBytes, readFault, readText } from '../testing/read-text.ts'
import { writeSettlementFile } from '../write-settlement-file.ts'

const COLUMNS =
  'ReconciliationType;PaymentType;Cashflow;ClearingInstituteMerchantId;UniqueID;Amount;Currency;SettlementAmount;' +
  'SettlementCurrency;SettlementFee;TxRequestTime;SettlementDate;SettlementStatus;Descriptor;Bin;AccountNumberLast4;' +
  'ReasonCode;DueDate'
const FACTS = 'TOLLGATE;1;Sample Acquirer;20261127-1;331;2026-11-28;2026-11-27;Europe/Berlin'
const CAPTURE =
  'SETTLED;DEBIT;POS;4711-0815;8a8294174d0595bb014d05d829cb01cd;92.00;EUR;92.00;EUR;1.38;2026-11-26T23:59:58+01:00;' +
  '2026-11-27;SUCCESS;"Muster; ""Shop""\nBerlin";411111;1111;;'
const YEN = 'SETTLED;REFUND;NEG;4711-0815;;1250;JPY;7.81;EUR;;;2026-11-27;SUCCESS;;;;;'
const CHARGEBACK = 'CHARGEBACK;DEBIT;NEG;4711-0815;;1.255;KWD;3.75;EUR;15.00;;2026-11-27;SUCCESS;;;0004;10.4;2026-12-27'
const TOTALS = ['TOTAL;EUR;POS;1;92.00', 'TOTAL;EUR;NEG;2;11.56']

const file = (...lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')
const sample = file(FACTS, COLUMNS, CAPTURE, YEN, CHARGEBACK, ...TOTALS, 'END;3')

describe('tollgate-csv', () => {
  it('has rows and a summary', async () => {
    const entries = await readText('tollgate-csv', sample)
    expect(entries).toStrictEqual([
      {
        kind: 'row',
        row: {
          line: 3,
          kind: 'SETTLED',
          type: 'DEBIT',
          cashflow: 'POS',
          clearingMerchantId: '4711-0815',
          uniqueId: '8a8294174d0595bb014d05d829cb01cd',
          currency: 'EUR',
          settlementCurrency: 'EUR',
          presentedAtMs: Date.UTC(2026, 10, 26, 22, 59, 58),
          settledOn: '2026-11-27',
          status: 'SUCCESS',
          descriptor: 'Muster; "Shop"\nBerlin',
          bin: '411111',
          last4: '1111',
          amountMinor: 9_200,
          settlementAmountMinor: 9_200,
          feeMinor: 138,
        },
      },
      {
        kind: 'row',
        row: {
          line: 5,
          kind: 'SETTLED',
          type: 'REFUND',
          cashflow: 'NEG',
          clearingMerchantId: '4711-0815',
          currency: 'JPY',
          settlementCurrency: 'EUR',
          settledOn: '2026-11-27',
          status: 'SUCCESS',
          amountMinor: 1_250,
          settlementAmountMinor: 781,
        },
      },
      {
        kind: 'row',
        row: {
          line: 6,
          kind: 'CHARGEBACK',
          type: 'DEBIT',
          cashflow: 'NEG',
          clearingMerchantId: '4711-0815',
          currency: 'KWD',
          settlementCurrency: 'EUR',
          settledOn: '2026-11-27',
          status: 'SUCCESS',
          last4: '0004',
          reason: '10.4',
          dueOn: '2026-12-27',
          amountMinor: 1_255,
          settlementAmountMinor: 375,
          feeMinor: 1_500,
        },
      },
      {
        kind: 'summary',
        format: 'tollgate-csv',
        institute: 'Sample Acquirer',
        fileId: '20261127-1',
        sequence: 331,
        createdOn: '2026-11-28',
        settledOn: '2026-11-27',
        zone: 'Europe/Berlin',
        rowCount: 3,
        bankEntryCount: 0,
        totals: [
          { currency: 'EUR', cashflow: 'NEG', rowCount: 2, amountMinor: 1_156 },
          { currency: 'EUR', cashflow: 'POS', rowCount: 1, amountMinor: 9_200 },
        ],
      },
    ])
  })

  it.each([
    ['CRLF', sample.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${sample}`],
    ['no line end at the end', sample.slice(0, -1)],
  ])('may have %s', async (_, text) => {
    expect(await readText('tollgate-csv', text)).toStrictEqual(await readText('tollgate-csv', sample))
  })

  it('is the same in chunks of any length', async () => {
    const expected = await readText('tollgate-csv', sample)
    for (const chunkBytes of [1, 2, 3, 7, 64]) {
      expect(await readBytes('tollgate-csv', Buffer.from(sample), chunkBytes)).toStrictEqual(expected)
    }
  })

  it('permits duplicate rows, which the matching detects', async () => {
    const text = file(FACTS, COLUMNS, YEN, YEN, 'TOTAL;EUR;NEG;2;15.62', 'END;2')
    expect((await readText('tollgate-csv', text)).map(({ kind }) => kind)).toStrictEqual(['row', 'row', 'summary'])
  })

  it('can have no rows', async () => {
    expect((await readText('tollgate-csv', file(FACTS, COLUMNS, 'END;0'))).at(-1)).toMatchObject({ rowCount: 0 })
  })

  it('can be written and read: the same rows', async () => {
    await fc.assert(
      fc.asyncProperty(randomFacts, fc.array(randomRow, { maxLength: 20 }), async (facts, rows) => {
        const sent = { ...facts, zone: 'Europe/Berlin' }
        const bytes = Buffer.concat([...writeSettlementFile('tollgate-csv', sent, { rows })])
        const entries = await readBytes('tollgate-csv', bytes)
        const read = entries.flatMap((entry) => (entry.kind === 'row' ? [statedMembers(entry.row)] : []))
        expect(read).toStrictEqual(rows.map(statedMembers).map((row) => expect.objectContaining(row)))
        expect(entries.at(-1)).toMatchObject({ kind: 'summary', ...sent, rowCount: rows.length })
      }),
    )
  })
})

const edit = (from: string, to: string): string => {
  expect(sample).toContain(from)
  return sample.replace(from, to)
}

describe('a fault of tollgate-csv', () => {
  it.each<readonly [name: string, text: () => string, fault: string]>([
    ['an empty file', () => '', '1:1 TRUNCATED'],
    ['another format', () => edit('TOLLGATE;1', 'TOLLGATE;2'), '1:1 RECORD_TYPE'],
    ['no trailer', () => edit('END;3\n', ''), '9:1 TRUNCATED'],
    ['cut within a row', () => sample.slice(0, sample.indexOf('SETTLED;REFUND') + 20), '5:1 COLUMN'],
    ['cut within quotes', () => sample.slice(0, sample.indexOf('Berlin"')), '3:1 QUOTE'],
    ['a row after a total', () => file(FACTS, COLUMNS, ...TOTALS, YEN, 'END;1'), '5:1 RECORD_ORDER'],
    ['rows before the columns', () => file(FACTS, YEN, COLUMNS, 'END;1'), '2:1 COLUMN'],
    ['data after the trailer', () => `${sample}END;3\n`, '10:1 TRAILING'],
    ['an empty line', () => edit(YEN, `\n${YEN}`), '5:1 COLUMN'],
    ['a missing column', () => edit('SettlementStatus;', ''), '2:1 SettlementStatus COLUMN'],
    ['an unknown column', () => edit('DueDate', 'Due'), '2:235 COLUMN'],
    ['a repeated column', () => edit('DueDate', 'Amount'), '2:235 COLUMN'],
    ['a missing cell', () => edit('10.4;2026-12-27', '10.4'), '6:1 COLUMN'],
    ['a wrong count', () => edit('END;3', 'END;4'), '9:5 Rows COUNT'],
    ['a contradictory total', () => edit('11.56', '11.57'), '9:1 TOTAL'],
    ['a missing total', () => edit(`${TOTALS[0]}\n`, ''), '8:1 TOTAL'],
    ['a repeated total', () => edit('TOTAL;EUR;NEG', `${TOTALS[0]}\nTOTAL;EUR;NEG`), '10:1 TOTAL'],
    ['a quote within a cell', () => edit('4711-0815;;1250', '4711"0815";;1250'), '5:24 QUOTE'],
    ['text after a quote', () => edit('Berlin"', 'Berlin"x'), '4:8 QUOTE'],
    ['a quote that is not closed', () => edit('Berlin"', 'Berlin'), '3:1 QUOTE'],
    ['a missing value', () => edit('SETTLED;REFUND;NEG', 'SETTLED;REFUND;'), '5:16 Cashflow MISSING'],
    ['an unknown kind', () => edit('CHARGEBACK;', 'CHARGE;'), '6:1 ReconciliationType VALUE'],
    ['a type that does not fit', () => edit('SETTLED;REFUND', 'SETTLED;BATCH'), '5:1 PaymentType VALUE'],
    ['too many decimals', () => edit('7.81', '7.815'), '5:40 SettlementAmount AMOUNT'],
    ['decimals of yen', () => edit('1250', '1250.00'), '5:31 Amount AMOUNT'],
    ['a decimal comma', () => edit('7.81', '7,81'), '5:40 SettlementAmount AMOUNT'],
    ['a negative amount', () => edit('7.81', '-7.81'), '5:40 SettlementAmount AMOUNT'],
    ['an amount with an exponent', () => edit('7.81', '7e2'), '5:40 SettlementAmount AMOUNT'],
    ['an amount beyond the bound', () => edit('7.81', '10000000000000.00'), '5:40 SettlementAmount AMOUNT'],
    [
      'a merchant id below 5 characters',
      () => edit('4711-0815;;1250', '4711;;1250'),
      '5:20 ClearingInstituteMerchantId VALUE',
    ],
    ['a gigantic number', () => edit('7.81', '9'.repeat(5_000)), '5:40 SettlementAmount FIELD_LENGTH'],
    ['a gigantic field', () => edit('Muster', 'M'.repeat(500)), '3:132 Descriptor FIELD_LENGTH'],
    ['a gigantic line', () => edit('Muster', 'M'.repeat(9_000)), '3:8193 LINE_LENGTH'],
    ['endless lines in quotes', () => edit('Muster', 'M\n'.repeat(5_000)), '4033:1 LINE_LENGTH'],
    ['an unknown currency', () => edit('JPY', 'XXX'), '5:36 Currency CURRENCY'],
    ['a lower-case currency', () => edit('JPY', 'jpy'), '5:36 Currency CURRENCY'],
    ['an impossible day', () => edit('2026-12-27', '2026-02-30'), '6:90 DueDate DATE'],
    ['a time without an offset', () => edit('23:59:58+01:00', '23:59:58'), '3:87 TxRequestTime DATE'],
    ['an impossible time', () => edit('23:59:58', '24:00:00'), '3:87 TxRequestTime DATE'],
    [
      'a card number as last four',
      () => edit('411111;1111', '411111;4111111111111111'),
      '4:16 AccountNumberLast4 FIELD_LENGTH',
    ],
    ['NUL', () => edit('Muster', 'Mus\0ter'), '3:136 CONTROL_CHARACTER'],
  ])('%s', async (_, text, fault) => {
    expect(await readFault('tollgate-csv', text())).toBe(fault)
  })

  it.each([
    ['Latin-1', Buffer.from(sample.replace('Muster', 'Müller'), 'latin1'), '3:134 ENCODING'],
    ['UTF-16 with a byte order mark', Buffer.from(`\uFEFF${sample}`, 'utf16le'), '1:1 ENCODING'],
    ['UTF-16', Buffer.from(sample, 'utf16le'), '1:2 CONTROL_CHARACTER'],
    ['a character that is cut off', Buffer.from(`${sample}€`).subarray(0, -1), '10:1 ENCODING'],
  ])('%s', async (_, bytes, fault) => {
    expect(await readFault('tollgate-csv', bytes)).toBe(fault)
    expect((await readBytes('tollgate-csv', bytes, 1)).at(-1)?.kind).toBe('fault')
  })
})
