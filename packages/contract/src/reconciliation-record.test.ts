import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvField } from './csv.ts'
import { InvariantError } from './invariant-error.ts'
import { type ReconciliationRecord, recordColumns, recordHeader, recordLine } from './reconciliation-record.ts'
import type { RecordColumnName } from './reconciliation-record.ts'

const plain = { merchantReferences: false }
const extended = { merchantReferences: true, merchantMemo: true }
const id = (digit: string): string => digit.repeat(32)

const settled: ReconciliationRecord = {
  ReconciliationType: 'SETTLED',
  PaymentType: 'DEBIT',
  Cashflow: 'POS',
  ClearingInstituteMerchantId: '4711-0815',
  MerchantAccountId: id('a'),
  MerchantAccountName: 'Shop; "north"',
  PspId: id('b'),
  MerchantId: id('c'),
  SettlementTxId: 'S-1',
  UniqueID: id('d'),
  ShortId: '0001.0002.0003',
  TransactionId: 'order-0001',
  InvoiceId: 'invoice-0001',
  ConnectorTxId1: '24692160000000000000001',
  Amount: '92.00',
  Currency: 'EUR',
  Brand: 'VISA',
  TxRequestTime: '2026-11-27 23:59:59',
  SettlementAmount: '92.00',
  SettlementCurrency: 'EUR',
  SettlementFee: '0.90',
  SettlementFxRate: '1.00',
  SettlementDate: '2026-11-28',
  SettlementStatus: 'SUCCESS',
  Descriptor: '=Shop',
  AccountNumberLast4: '1111',
  SettlementFileFormat: 'TOLLGATE_CSV',
  ClearingInsitituteName: 'Acquirer',
  MatchingStatus: 'MATCHED',
  MatchedTransactions: id('d'),
}

/** The header of the contract (Reconciliation record). */
const contractHeader =
  'ReconciliationType, PaymentType, Cashflow, ClearingInstituteMerchantId, MerchantAccountId, ' +
  'MerchantAccountName, PspId, DivisionId, MerchantId, SettlementTxId, UniqueID, ShortId, ConnectorTxId1, ' +
  'ConnectorTxId2, ConnectorTxId3, Amount, Currency, Brand, TxRequestTime, SettlementAmount, SettlementCurrency, ' +
  'SettlementFee, SettlementFxRate, SettlementDate, SettlementStatus, Descriptor, AccountNumberLast4, BankCode, ' +
  'AccountHolder, ReasonCode, ReasonDesc, SettlementFileFormat, ClearingInsitituteName, MatchingStatus, ' +
  'MatchedTransactions, ChargebackId'

describe('the header', () => {
  test('is that of the contract, with 36 names', () => {
    expect(recordHeader(plain)).toBe(`${contractHeader.replaceAll(', ', ';')}\n`)
    expect(recordHeader(plain).split(';')).toHaveLength(36)
  })

  test('has the references of the merchant after ShortId if they are wanted', () => {
    const names = contractHeader.replaceAll(', ', ';').replace(';ShortId;', ';ShortId;TransactionId;InvoiceId;')
    expect(recordHeader({ merchantReferences: true })).toBe(`${names}\n`)
  })

  test('has the memo of the merchant at the end if it is wanted', () => {
    expect(recordHeader({ ...plain, merchantMemo: true })).toBe(
      `${contractHeader.replaceAll(', ', ';')};MerchantMemo\n`,
    )
    expect(recordHeader(extended)).toBe(recordHeader({ merchantReferences: true }).replace('\n', ';MerchantMemo\n'))
  })

  test('consists of unique names, and so do the names in the API', () => {
    const apiNames = recordColumns.map(({ apiName }) => apiName).filter((name) => name !== '')
    expect(new Set(recordColumns.map(({ name }) => name)).size).toBe(39)
    expect(new Set(apiNames).size).toBe(apiNames.length)
    expect(apiNames).toHaveLength(38)
  })
})

describe('a line', () => {
  test('has the values in the order of the columns, verbatim, quoted where needed', () => {
    const values =
      `SETTLED;DEBIT;POS;4711-0815;${id('a')};"Shop; ""north""";${id('b')};;${id('c')};S-1;${id('d')};` +
      '0001.0002.0003;24692160000000000000001;;;92.00;EUR;VISA;2026-11-27 23:59:59;92.00;EUR;0.90;1.00;2026-11-28;' +
      `SUCCESS;=Shop;1111;;;;;TOLLGATE_CSV;Acquirer;MATCHED;${id('d')};`
    expect(recordLine(settled, plain)).toBe(values)
    expect(recordLine(settled, extended)).toContain(';0001.0002.0003;order-0001;invoice-0001;24692160000000000000001;')
  })

  test('cuts text to the maximum of its column, in characters', () => {
    const descriptor = recordLine({ ...settled, Descriptor: '😀'.repeat(129) }, plain)
    expect(descriptor).toContain(`;${'😀'.repeat(128)};`)
    expect(recordLine({ ...settled, Descriptor: `${'a'.repeat(127)}😀b` }, plain)).toContain(`;${'a'.repeat(127)}😀;`)
    expect(recordLine({ ...settled, Brand: 'SEVENTEEN_LETTERS' }, plain)).toContain(';SEVENTEEN_LETTER;')
  })

  test('an empty value of an optional column is an empty field', () => {
    expect(recordLine({ ...settled, SettlementFee: '' }, plain)).toBe(
      recordLine({ ...settled, SettlementFee: undefined }, plain),
    )
  })

  test('of any text can be read again', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ';', '"', '\n', '😀'), maxLength: 300 }), (descriptor) => {
        const line = recordLine({ ...settled, MerchantAccountName: '', Descriptor: descriptor }, plain)
        const field = /;SUCCESS;((?:"(?:[^"]|"")*")|[^;"]*);1111;/.exec(line)?.[1] ?? 'unreadable'
        const value = field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field
        expect(value).toBe(Array.from(descriptor).slice(0, 128).join(''))
      }),
    )
  })
})

const wrong: Readonly<Record<RecordColumnName, string>> = {
  ReconciliationType: 'settled',
  PaymentType: 'DB',
  Cashflow: '+',
  ClearingInstituteMerchantId: '4711',
  MerchantAccountId: 'a',
  MerchantAccountName: '\u0000',
  PspId: id('-'),
  DivisionId: 'a'.repeat(33),
  MerchantId: 'a'.repeat(31),
  SettlementTxId: '\u0007',
  UniqueID: 'a',
  ShortId: '\u0007',
  TransactionId: 'short',
  InvoiceId: 'short',
  ConnectorTxId1: '\u0007',
  ConnectorTxId2: '\u0007',
  ConnectorTxId3: '\u0007',
  Amount: '-1.00',
  Currency: 'XYZ',
  Brand: '\u0007',
  TxRequestTime: '2026-11-27T23:59:59',
  SettlementAmount: '12345678901.00',
  SettlementCurrency: 'eur',
  SettlementFee: '0.9',
  SettlementFxRate: '1.1234',
  SettlementDate: '2026-02-30',
  SettlementStatus: 'OK',
  Descriptor: '\u0007',
  AccountNumberLast4: '\u0007',
  BankCode: '\u0007',
  AccountHolder: '\u0007',
  ReasonCode: '10.4a',
  ReasonDesc: '\u0007',
  SettlementFileFormat: '\u0007',
  ClearingInsitituteName: '\u0007',
  MatchingStatus: 'matched',
  MatchedTransactions: `${id('a')};${id('b')}`,
  ChargebackId: 'a',
  MerchantMemo: '\u0007',
}

const faultOf = (name: string) => new InvariantError(`reconciliation record: ${name} is missing or has another format`)

describe('a wrong value', () => {
  test.each(Object.entries(wrong))('of %s names the column, but not the value', (name, value) => {
    const record = { ...settled, [name]: value }
    expect(() => recordLine(record, extended)).toThrow(faultOf(name))
  })

  test('includes a missing value of exactly the required columns', () => {
    const required = recordColumns.filter(({ need }) => need === 'R')
    expect(required).toHaveLength(16)
    for (const column of recordColumns) {
      const line = expect(() => recordLine({ ...settled, [column.name]: '' }, extended))
      if (required.includes(column)) line.toThrow(faultOf(column.name))
      else line.not.toThrow()
    }
  })

  test('is not a list of 100 ids, but one of 101', () => {
    const list = (count: number): string => Array.from({ length: count }, () => id('a')).join(',')
    const lineOf = (count: number) => () => recordLine({ ...settled, MatchedTransactions: list(count) }, extended)
    expect(lineOf(100)).not.toThrow()
    expect(lineOf(101)).toThrow(faultOf('MatchedTransactions'))
  })
})

/** Values at the limits of formats, and beyond. */
const days = ['2026-11-28', '2026-11-30', '2026-11-31', '2024-02-29', '2026-02-29', '1999-12-31', '2126-01-01']
const times = ['00:00:00', '23:59:59', '24:00:00', '23:60:00', '23:59:60']
const characters = [
  'a',
  'Z',
  '0',
  ';',
  '"',
  '\n',
  '\r',
  '\t',
  '\u0000',
  '\u001f',
  '\u007f',
  'é',
  '\u2028',
  '😀',
  '\ud800',
]
const anyValue = fc.oneof(
  fc.constantFrom('', undefined),
  fc.constantFrom(...new Set(Object.values(wrong)), ...new Set(Object.values(settled))),
  fc.constantFrom(...days, ...days.flatMap((day) => times.map((time) => `${day} ${time}`))),
  fc.constantFrom('eur', 'XXX', 'JPY', 'FEE', 'FEES', '1.00', '1.000', '12345678901.00', id('a'), id('a').slice(1)),
  fc.constantFrom(1, 4, 5, 8, 12, 14, 16, 32, 64, 128, 255).chain((chars) =>
    fc.string({
      unit: fc.oneof({ weight: 50, arbitrary: fc.constant('a') }, fc.constantFrom(...characters)),
      minLength: chars - 1,
      maxLength: chars + 1,
    }),
  ),
)
const anyRecord = fc
  .dictionary(fc.constantFrom(...recordColumns.map(({ name }) => name)), anyValue, { maxKeys: 3 })
  .map((changes): ReconciliationRecord => ({ ...settled, MerchantAccountName: 'Shop', ...changes }))

/** The line of a record, written one field after the other; the name of the first column with a wrong value. */
function fieldByField(record: ReconciliationRecord): string {
  const fields: string[] = []
  for (const { name, format, need } of recordColumns) {
    const { maxLength = Infinity } = format.kind === 'text' ? format.schema : {}
    const value = Array.from(record[name] ?? '')
      .slice(0, maxLength)
      .join('')
    if (value === '' ? need === 'R' : !format.accepts(value)) return String(faultOf(name))
    fields.push(csvField(value))
  }
  return fields.join(';')
}

test('the line of any record is that of its fields, or it names the first wrong column', () => {
  const outcomeOf = (record: ReconciliationRecord) => {
    try {
      return recordLine(record, extended)
    } catch (error) {
      return String(error)
    }
  }
  const property = fc.property(anyRecord, (record) => {
    expect(outcomeOf(record)).toBe(fieldByField(record))
  })
  fc.assert(property, { numRuns: 3000 })
})
