import { csvField, CSV_SEPARATOR } from './csv.ts'
import { chars, currency, date, exactAmount, oneOf, pattern, text, timestamp } from './format.ts'
import { InvariantError } from './invariant-error.ts'
import { limits } from './limits.ts'
import { plainLine } from './plain-line.ts'
import type { Format, Need } from './row.ts'

/** A column of the reconciliation file. */
export interface RecordColumn<Name extends string = string, ColumnNeed extends Need = Need> {
  /** The name in the header of the CSV file. */
  readonly name: Name
  /** The name in the API; '' if the API has none. */
  readonly apiName: string
  readonly format: Format
  readonly need: ColumnNeed
  readonly note: string
  /** The option of the files that have the column; undefined: all files have it. */
  readonly option: keyof RecordOptions | undefined
}

const column = <Name extends string, ColumnNeed extends Need>(
  name: Name,
  apiName: string,
  format: Format,
  need: ColumnNeed,
  note = '',
): RecordColumn<Name, ColumnNeed> => ({ name, apiName, format, need, note, option: undefined })

/** A column of the merchant's references. */
const extra = <Name extends string>(name: Name, apiName: string): RecordColumn<Name, 'C'> => ({
  ...column(name, apiName, text(8, 255), 'C', 'Present if a transaction is matched that has one.'),
  option: 'merchantReferences',
})

const id32 = chars('letters or digits', 32, 32)
const code = pattern('2 to 11 digits and dots', /^[0-9.]{2,11}$/)
/** "Up to 10 digits, dot, 2 digits". */
const amount = exactAmount
const reference = text(1, 64)
/** Ids, separated by commas, because semicolons separate the columns. */
const ids = pattern(
  `up to ${limits.matchedTransactionsMax} ids of 32 letters or digits, separated by commas`,
  new RegExp(`^[A-Za-z0-9]{32}(?:,[A-Za-z0-9]{32}){0,${limits.matchedTransactionsMax - 1}}$`),
)

const IN_ZONE = 'In the time zone of the clearing institute.'
const CHARGEBACKS = 'Only of chargebacks.'

/**
 * The columns of the reconciliation file in the order of the contract (Reconciliation record), with the two columns of
 * the merchant's references, which the contract's table contains and its header does not, after ShortId, and with the
 * memo at the end: "merchantMemo appears in reporting only".
 */
const table = [
  column('ReconciliationType', 'recordType', oneOf('SETTLED', 'CHARGEBACK', 'CHARGEBACK REVERSAL', 'FEE'), 'R'),
  column(
    'PaymentType',
    'transactionType',
    oneOf(
      'DEBIT',
      'CREDIT',
      'REFUND',
      'BATCH',
      'MONTHLY',
      'SUBMERCHANT',
      'PAYMENT_FACILITATOR',
      'AUTH_FEE',
      'CAPTURE_FEE',
      'CANCEL_FEE',
      'REFUND_FEE',
    ),
    'R',
  ),
  column('Cashflow', 'settlement.cashflow', oneOf('POS', 'NEG'), 'R', 'POS: in favour of the merchant.'),
  column('ClearingInstituteMerchantId', 'clearingInstitute.merchantId', text(5, 64), 'R'),
  column('MerchantAccountId', 'merchantAccount.id', id32, 'R'),
  column('MerchantAccountName', 'merchantAccount.name', text(1, 32), 'O'),
  column('PspId', 'pspEntityId', id32, 'R'),
  column('DivisionId', 'divisionEntityId', id32, 'O'),
  column('MerchantId', 'merchantEntityId', id32, 'R'),
  column('SettlementTxId', 'settlement.id', reference, 'O', 'The settlement at the institute, which records share.'),
  column('UniqueID', 'payment.id', id32, 'O', 'Fees of batches, months and merchants have none.'),
  column('ShortId', '', text(1, 14), 'O'),
  extra('TransactionId', 'merchantTransactionId'),
  extra('InvoiceId', 'merchantInvoiceId'),
  column('ConnectorTxId1', 'clearingInstitute.txId1', reference, 'O'),
  column('ConnectorTxId2', 'clearingInstitute.txId2', reference, 'O'),
  column('ConnectorTxId3', 'clearingInstitute.txId3', reference, 'O'),
  column('Amount', 'amount', amount, 'R', 'Before fees, in the currency of the transaction.'),
  column('Currency', 'currency', currency, 'R'),
  column('Brand', 'paymentBrand', text(1, 16), 'O'),
  column(
    'TxRequestTime',
    'presentmentDate',
    timestamp,
    'O',
    `When the merchant ordered the transaction; if the file does not state it, when the file was read. ${IN_ZONE}`,
  ),
  column('SettlementAmount', 'settlement.amount', amount, 'R'),
  column('SettlementCurrency', 'settlement.currency', currency, 'R'),
  column('SettlementFee', 'settlement.fee', amount, 'O', 'The fee of the institute, in the currency of settlement.'),
  column('SettlementFxRate', 'settlement.fxRate', amount, 'R', 'Rounded; the amounts are exact.'),
  column('SettlementDate', 'settlement.date', date, 'R', IN_ZONE),
  column('SettlementStatus', 'settlement.status', oneOf('SUCCESS', 'FAILED'), 'R'),
  column('Descriptor', 'descriptor', text(1, 128), 'O'),
  column('AccountNumberLast4', 'card.last4Digits or bankAccount.last4Digits', text(1, 4), 'O'),
  column('BankCode', 'bankAccount.bankCode', text(1, 12), 'O'),
  column('AccountHolder', 'card.holder or bankAccount.holder', text(1, 128), 'O'),
  column('ReasonCode', 'result.code', code, 'O', CHARGEBACKS),
  column('ReasonDesc', 'result.description', text(1, 128), 'O', CHARGEBACKS),
  column('SettlementFileFormat', 'settlement.format', text(1, 32), 'R'),
  column('ClearingInsitituteName', 'clearingInstitute.name', text(1, 64), 'R', 'Spelt as in the contract.'),
  column('MatchingStatus', 'matchedTransactions.status', oneOf('MATCHED', 'MULTIPLE_MATCHES', 'NOT_MATCHED'), 'C'),
  column('MatchedTransactions', 'matchedTransactions.payment[n].id', ids, 'C', 'Fees have none.'),
  column(
    'ChargebackId',
    'chargebackTransaction.id',
    id32,
    'C',
    'The chargeback or reversal that the service created for a matched record.',
  ),
  {
    ...column('MerchantMemo', 'merchantMemo', text(1, 255), 'C', 'Present if a transaction is matched that has one.'),
    option: 'merchantMemo',
  },
] as const

type Column = (typeof table)[number]

/** The name of a column of the reconciliation file. */
export type RecordColumnName = Column['name']

type RequiredColumnName = Extract<Column, { readonly need: 'R' }>['name']

/** The texts of one record by the names of their columns; an absent or empty text is an empty field. */
export type ReconciliationRecord = Readonly<Record<RequiredColumnName, string>> & {
  readonly [Name in Exclude<RecordColumnName, RequiredColumnName>]?: string | undefined
}

export interface RecordOptions {
  /** Whether files have the columns TransactionId and InvoiceId. */
  readonly merchantReferences: boolean
  /** Whether files have the column MerchantMemo; no if absent. */
  readonly merchantMemo?: boolean
}

/** All columns of the reconciliation file, in their order. */
export const recordColumns: readonly RecordColumn<RecordColumnName>[] = table

/** How the values of a column are written. */
interface ColumnWriter {
  readonly column: RecordColumn<RecordColumnName>
  readonly isRequired: boolean
  /** The maximum of characters of text; 0 for other formats, which need no quotes. */
  readonly textCharsMax: number
}

const writerOf = (recordColumn: RecordColumn<RecordColumnName>): ColumnWriter => {
  const { need, format } = recordColumn
  const textCharsMax = format.kind === 'text' ? (format.schema.maxLength ?? 0) : 0
  return { column: recordColumn, isRequired: need === 'R', textCharsMax }
}

const writers = recordColumns.map(writerOf)

/** How the lines of files with the same columns are written. */
interface LineWriter {
  readonly writers: readonly ColumnWriter[]
  readonly names: readonly RecordColumnName[]
  /** Matches the values of a record that are its fields unchanged, with their separators. */
  readonly plain: RegExp
}

const lineWriterOf = (merchantReferences: boolean, merchantMemo: boolean): LineWriter => {
  const options = { merchantReferences, merchantMemo }
  const ownWriters = writers.filter(({ column: { option } }) => option === undefined || options[option])
  const names = ownWriters.map(({ column: { name } }) => name)
  return { writers: ownWriters, names, plain: plainLine(ownWriters) }
}

const lineWriters = {
  plain: { withoutReferences: lineWriterOf(false, false), withReferences: lineWriterOf(true, false) },
  memo: { withoutReferences: lineWriterOf(false, true), withReferences: lineWriterOf(true, true) },
} as const

const lineWriterFor = ({ merchantReferences, merchantMemo = false }: RecordOptions): LineWriter =>
  lineWriters[merchantMemo ? 'memo' : 'plain'][merchantReferences ? 'withReferences' : 'withoutReferences']

/** The header of a reconciliation file, with its LF. */
export const recordHeader = (options: RecordOptions): string => `${lineWriterFor(options).names.join(CSV_SEPARATOR)}\n`

/**
 * A line of a reconciliation file (RFC 4180 with semicolons), without its LF. Values are written verbatim, except that
 * text is cut to the maximum of its column.
 *
 * The values of most records are their fields. One expression recognises such lines: a check of each value takes twice
 * as long.
 *
 * @throws {InvariantError} naming the column, if a required value is missing or a value has another format
 */
export function recordLine(record: ReconciliationRecord, options: RecordOptions): string {
  const { writers: ownWriters, names, plain } = lineWriterFor(options)
  const line = names.map((name) => record[name]).join(CSV_SEPARATOR)
  return plain.test(line) ? line : ownWriters.map((writer) => fieldOf(writer, record)).join(CSV_SEPARATOR)
}

function fieldOf(writer: ColumnWriter, record: ReconciliationRecord): string {
  const value = valueOf(writer, record)
  if (isWrong(writer, value))
    throw new InvariantError(`reconciliation record: ${writer.column.name} is missing or has another format`)
  return writer.textCharsMax > 0 ? csvField(value) : value
}

/** The fields of a record that have a value, in the order of the columns; text is cut to the maximum of its column. */
export const recordFields = (
  record: ReconciliationRecord,
): readonly (readonly [column: RecordColumn<RecordColumnName>, value: string])[] =>
  writers.flatMap((writer) => {
    const value = valueOf(writer, record)
    return value === '' ? [] : [[writer.column, value] as const]
  })

const isWrong = ({ column: { format }, isRequired }: ColumnWriter, value: string): boolean =>
  value === '' ? isRequired : !format.accepts(value)

/** The value of a column; text is cut to the maximum of the column. */
function valueOf({ column: { name }, textCharsMax }: ColumnWriter, record: ReconciliationRecord): string {
  const value = record[name] ?? ''
  return textCharsMax === 0 || value.length <= textCharsMax ? value : firstCharacters(value, textCharsMax)
}

/** The first `count` characters (code points) of a text. */
function firstCharacters(value: string, count: number): string {
  let end = 0
  for (let i = 0; i < count && end < value.length; i++) end += (value.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  return value.slice(0, end)
}
