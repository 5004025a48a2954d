import { type RowField, rowField } from '../field.ts'
import { factsField } from '../facts-fields.ts'
import { count, currencyCode, day, decimalSum, matching, oneOf, text } from '../value-kinds.ts'

/** A column of tollgate-csv. */
export type CsvColumn = RowField

/**
 * tollgate-csv, version 1: Tollgate's own format for settlement files (RFC 4180 with semicolons, UTF-8, lines that end
 * with LF or CRLF).
 *
 * 1. Line 1 has the facts of `csvFacts` in this order, after the cells `TOLLGATE` and `1`.
 * 2. Line 2 has the names of columns of `csvColumns`, in any order; optional columns can be absent.
 * 3. Each further line is a row. An empty cell means that the file does not state the value.
 * 4. A line for each currency of settlement and direction that occurs, in any order, states the sum of
 *    SettlementAmount: the cell `TOTAL`, then the cells of `csvTotal`.
 * 5. The last line states the number of rows: the cells `END` and the number.
 *
 * Amounts are decimal numbers with a dot and at most the decimals of their currency: `12.50` EUR, `1250` JPY, `1.255`
 * KWD. They have no sign, because the column Cashflow states the direction.
 */
export const csvColumns: readonly CsvColumn[] = [
  rowField('ReconciliationType', 'kind'),
  rowField('PaymentType', 'type'),
  rowField('Cashflow', 'cashflow'),
  rowField('ClearingInstituteMerchantId', 'clearingMerchantId'),
  rowField('SettlementTxId', 'settlementId'),
  rowField('UniqueID', 'uniqueId'),
  rowField('ShortId', 'shortId'),
  rowField('TransactionId', 'merchantTransactionId'),
  rowField('ConnectorTxId1', 'connectorTxId1'),
  rowField('ConnectorTxId2', 'connectorTxId2'),
  rowField('ConnectorTxId3', 'connectorTxId3'),
  rowField('ApprovalCode', 'approvalCode'),
  rowField('NetworkTransactionId', 'networkTransactionId'),
  rowField('ClearingSequence', 'clearingSequence'),
  rowField('TerminalId', 'terminalId'),
  rowField('Amount', 'amountMinor'),
  rowField('Currency', 'currency'),
  rowField('SettlementAmount', 'settlementAmountMinor'),
  rowField('SettlementCurrency', 'settlementCurrency'),
  rowField('SettlementFee', 'feeMinor'),
  rowField('SettlementFxRate', 'fxRate'),
  rowField('TxRequestTime', 'presentedAtMs'),
  rowField('SettlementDate', 'settledOn'),
  rowField('SettlementStatus', 'status'),
  rowField('Brand', 'brand'),
  rowField('Descriptor', 'descriptor'),
  rowField('Bin', 'bin'),
  rowField('AccountNumberLast4', 'last4'),
  rowField('BankCode', 'bankCode'),
  rowField('AccountHolder', 'holder'),
  rowField('ReasonCode', 'reason'),
  rowField('DueDate', 'dueOn'),
]

/** The first cells of line 1: the name of the format and its version. */
export const csvSignature = ['TOLLGATE', '1'] as const

/** The facts of line 1, after the signature. */
export const csvFacts = [
  factsField('Institute', 'institute', text(64)),
  factsField('FileId', 'fileId', text(35)),
  factsField('Sequence', 'sequence', count(1, 999_999_999)),
  factsField('Created', 'createdOn', day),
  factsField('SettlementDay', 'settledOn', day),
  factsField('Zone', 'zone', matching('name of a time zone, such as Europe/Berlin', 64, /^[A-Za-z][\w+/-]*$/)),
] as const

/** The first cell of a line with a total, and its further cells. */
export const csvTotal = {
  tag: 'TOTAL',
  cells: [
    { name: 'Currency', member: 'currency', kind: currencyCode, isRequired: true },
    { name: 'Cashflow', member: 'cashflow', kind: oneOf('POS', 'NEG'), isRequired: true },
    { name: 'Rows', member: 'rowCount', kind: count(1, 999_999_999), isRequired: true },
    { name: 'Sum', member: 'amountMinor', kind: decimalSum, isRequired: true },
  ],
} as const

/** The first cell of the last line, and the number of rows. */
export const csvEnd = {
  tag: 'END',
  cells: [{ name: 'Rows', member: 'rowCount', kind: count(0, 999_999_999), isRequired: true }],
} as const
