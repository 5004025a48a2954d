import { clearingRecords, clearingSpec } from './clearing/records.ts'
import { bookingCodes } from './camt/booking-codes.ts'
import { type CamtField, camtGroups } from './camt/elements.ts'
import { csvColumns, csvEnd, csvFacts, csvSignature, csvTotal } from './csv/columns.ts'
import type { Field } from './field.ts'
import { faultReasons } from './file-fault.ts'
import { type FixedField, headLength, recordHead } from './fixed-width/fixed-field.ts'
import type { RecordSpec } from './fixed-width/record-spec.ts'
import { fixedWidthSpec, records } from './fixed-width/records.ts'
import { limits } from './limits.ts'

/** The guide to settlement files, in Markdown: the tables of each format, as the readers use them. */
export const describeFormats = (): string =>
  [
    INTRODUCTION,
    CSV,
    csvTables(),
    FIXED_WIDTH,
    recordTables(records),
    CAMT,
    camtTables(),
    FAULTS,
    faultTable(),
    CLEARING,
    recordTables(clearingRecords),
  ].join('\n')

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('')

const need = ({ isRequired }: Field): string => (isRequired ? 'required' : '')

const code = (text: string): string => `\`${text}\``

function csvTables(): string {
  const cells = (fields: readonly Field[]): string => fields.map(({ name }) => name).join(', ')
  return [
    table(
      ['line', 'cells'],
      [
        ['1', `${csvSignature.map(code).join(', ')}, ${cells(csvFacts)}`],
        ['2', 'the names of the columns, in any order; optional columns can be absent'],
        ['rows', 'a cell for each column; an empty cell means that the file does not state the value'],
        ['totals', `${code(csvTotal.tag)}, ${cells(csvTotal.cells)}: one for each currency and direction that occurs`],
        ['last', `${code(csvEnd.tag)}, ${cells(csvEnd.cells)}`],
      ],
    ),
    'The columns:\n',
    table(
      ['column', 'values', 'need'],
      csvColumns.map((field) => [field.name, field.kind.describe, need(field)]),
    ),
  ].join('\n')
}

function recordTables(tables: RecordSpec<string>['records']): string {
  const head: readonly (readonly string[])[] = [
    [`1–${recordHead.typeLength}`, 'RecordType', 'the two letters in the title', 'required'],
    [
      `${recordHead.typeLength + 1}–${headLength}`,
      recordHead.number.name,
      recordHead.number.kind.describe,
      need(recordHead.number),
    ],
  ]
  return Object.entries(tables)
    .map(([type, { title, fields }]) => {
      const rows = positionsOf(fields).map(({ field, positions }) => [
        positions,
        field.name,
        field.kind.describe,
        need(field),
      ])
      return `### ${type}: ${title}\n\n${table(['positions', 'field', 'values', 'need'], [...head, ...rows])}`
    })
    .join('\n')
}

function positionsOf(fields: readonly FixedField[]) {
  let end = headLength
  return fields.map((field) => {
    const start = end + 1
    end += field.length
    return { field, positions: start === end ? String(start) : `${start}–${end}` }
  })
}

function camtTables(): string {
  const groups = Object.entries(camtGroups).map(([name, { fields }]) => {
    const rows = fields.map((field: CamtField) => [
      field.paths.map(code).join(' or '),
      field.member,
      field.kind.describe,
      need(field),
    ])
    return `### The ${name}\n\n${table(['element', 'becomes', 'values', 'need'], rows)}`
  })
  const codes = bookingCodes.map(({ code: names, isReversal, directions, booking, row }) => [
    code(names.join(' ')),
    directions.join(', '),
    isReversal ? 'yes' : '',
    booking,
    row ? `${row.kind}, ${row.type}` : '',
  ])
  const head = ['domain, family, sub-family', 'CdtDbtInd', 'RvslInd', 'booking', 'row']
  return [...groups, `### Bank transaction codes\n\n${CODES}\n${table(head, codes)}`].join('\n')
}

const faultTable = (): string =>
  table(
    ['reason', 'meaning'],
    Object.entries(faultReasons).map(([reason, meaning]) => [code(reason), meaning]),
  )

const rowsMax = limits.rowsMax.toLocaleString('en')
const bytesMax = `${limits.fileBytesMax / 2 ** 30} GiB`

const INTRODUCTION = `# Settlement files

Acquirers and banks state in files which transactions they have settled. Tollgate reads four formats, which result in
the same rows. This guide describes the formats for developers who produce such files; it is generated from the tables
of the readers. Files are UTF-8, with or without a byte order mark.

A file is accepted as a whole: if any line is invalid or any total is wrong, no row of the file counts, and a
[fault](#faults) names the place. A file has at most ${rowsMax} rows and ${bytesMax}. The same row may occur twice; the
matching of rows with transactions decides whether that is a duplicate.

Amounts have no sign; a direction states who receives them: \`POS\` the merchant, \`NEG\` the institute. The
settlement amount is the amount before fees.
`

const CSV = `## tollgate-csv

Tollgate's own format: cells are separated by semicolons and quoted as in RFC 4180, and lines end with LF or CRLF.
Amounts are decimal numbers with a dot and at most the decimals of their currency: \`12.50\` EUR, \`1250\` JPY,
\`1.255\` KWD. SettlementFee and SettlementAmount are in SettlementCurrency. A total is the sum of SettlementAmount.
`

const FIXED_WIDTH = `## fixed-width

The sample format of an acquirer. Each record is a line of ${fixedWidthSpec.length} characters, filled with blanks.
Positions count from 1. A file is a file header, batches and a file trailer; a batch is a batch header, records of
transactions and fees, and a batch trailer. Records are numbered from 1 without gaps. Texts are filled with blanks on
the right, numbers with zeros on the left. A blank field means that the file does not state the value. Amounts are in
minor units of their currency: \`000000000001250\` is 12.50 EUR, 1250 JPY or 1.250 KWD. SettlementFee and
SettlementAmount are in the SettlementCurrency of the batch header.
`

const CAMT = `## camt.053 and camt.054

The statement and the notification of ISO 20022, in any version whose namespace begins with
\`urn:iso:std:iso:20022:tech:xsd:camt.053.001.\` or \`camt.054.001.\`; version 08 is written. A file has one statement
or notification. Amounts are decimal numbers with a dot and at most the decimals of their currency.

Only entries with the status BOOK count. Each of them is a bank entry, for the reconciliation of the account; of
payouts, each transaction is one. Transactions with a code [of the table](#bank-transaction-codes) are rows as well.
An EndToEndId of 32 letters or digits is the id of a payment, one like \`1234.5678.9012\` its short id,
\`NOTPROVIDED\` is none, and another one is the merchant's id of the transaction. Charges of a transaction were
deducted from a credit and added to a debit, so the settlement amount is the booked amount plus or minus the charges,
unless they are not included (ChrgInclInd).

The transactions of an entry must add up to its amount. In a camt.053, the opening balance (OPBD or PRCD) and all
booked entries must add up to the closing balance (CLBD). A document type declaration is not permitted. Other elements
are ignored.
`

const CODES = `Transactions have the code of their entry unless they state their own. Incoming credit transfers are
rows only if their EndToEndId is the id or the short id of a payment, because other transfers are totals that
acquirers pay out, and their rows are in the files of the acquirers. An outgoing credit transfer is a row if its
EndToEndId is the id of a refund or of a credit to a shopper, and its return is the return of the refund; otherwise it
is a payout. Charges are rows of entries without transactions.
Entries with other codes are bank entries only (\`OTHER\`).
`

const FAULTS = `## Faults

A fault has the line and the column, both from 1, the name of the field as far as one is concerned, and a reason. It
never contains a value, because values may be account numbers. In XML, the column is that after the tag or text.
`

const CLEARING = `## The clearing file

Tollgate writes this file for acquirers to which [files present captures](money.md#clearing), after each business
day. It has the notation of fixed-width, with records of ${clearingSpec.length} characters. A batch consists of the
presentments of a merchant in a currency. The same PresentmentId is always the same capture, so that a file that
arrives twice is processed once. CaptureCount equals CaptureSequence for the last capture of an authorisation; before,
it is greater by one. OriginalData names the message of the authorisation, like field 90 of ISO 8583.
`
