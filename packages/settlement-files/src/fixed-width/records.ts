import { factsField } from '../facts-fields.ts'
import { rowField } from '../field.ts'
import type { Member } from '../row-members.ts'
import { codes, compactDay, compactTime, count, matching, minorAmount, text } from '../value-kinds.ts'
import { column, counter, type FixedField } from './fixed-field.ts'
import { recordSpec } from './record-spec.ts'

const transactionTypes = codes({ DEBIT: 'DB', CREDIT: 'CD', REFUND: 'RF' })

const feeTypes = codes({
  BATCH: 'BA',
  MONTHLY: 'MO',
  SUBMERCHANT: 'SU',
  PAYMENT_FACILITATOR: 'PF',
  AUTH_FEE: 'AF',
  CAPTURE_FEE: 'CF',
  CANCEL_FEE: 'XF',
  REFUND_FEE: 'RX',
})

const directionAndStatus: readonly FixedField[] = [
  column(1, rowField('Cashflow', 'cashflow', { kind: codes({ POS: '+', NEG: '-' }) })),
  column(1, rowField('SettlementStatus', 'status', { kind: codes({ SUCCESS: 'S', FAILED: 'F' }) })),
]

const amounts: readonly FixedField[] = [
  column(3, rowField('Currency', 'currency')),
  column(15, rowField('Amount', 'amountMinor', { kind: minorAmount })),
  column(15, rowField('SettlementAmount', 'settlementAmountMinor', { kind: minorAmount })),
]

const transaction: readonly FixedField[] = [
  column(2, rowField('PaymentType', 'type', { kind: transactionTypes })),
  ...directionAndStatus,
  ...amounts,
  column(15, rowField('SettlementFee', 'feeMinor', { kind: minorAmount })),
  column(21, rowField('SettlementFxRate', 'fxRate')),
  column(14, rowField('TxRequestTime', 'presentedAtMs', { kind: compactTime })),
  column(32, rowField('UniqueID', 'uniqueId')),
  column(14, rowField('ShortId', 'shortId')),
  column(64, rowField('TransactionId', 'merchantTransactionId')),
  column(32, rowField('ConnectorTxId1', 'connectorTxId1')),
  column(64, rowField('ConnectorTxId2', 'connectorTxId2')),
  column(32, rowField('ConnectorTxId3', 'connectorTxId3')),
  column(6, rowField('ApprovalCode', 'approvalCode')),
  column(32, rowField('NetworkTransactionId', 'networkTransactionId')),
  column(2, rowField('ClearingSequence', 'clearingSequence', { kind: count(1, 99, 2) })),
  column(16, rowField('TerminalId', 'terminalId')),
  column(16, rowField('Brand', 'brand')),
  column(8, rowField('Bin', 'bin')),
  column(4, rowField('AccountNumberLast4', 'last4')),
  column(12, rowField('BankCode', 'bankCode')),
  column(40, rowField('AccountHolder', 'holder')),
  column(40, rowField('Descriptor', 'descriptor')),
]

const dispute: readonly FixedField[] = [
  ...transaction,
  column(10, rowField('ReasonCode', 'reason')),
  column(8, rowField('DueDate', 'dueOn', { kind: compactDay })),
]

/**
 * fixed-width: the sample format of an acquirer, version 01. UTF-8; each record is one line (LF or CRLF) of
 * `fixedWidthSpec.length` characters, filled with blanks. Characters beyond the Basic Multilingual Plane count as two.
 *
 * A file is a file header, batches and a file trailer; a batch is a batch header, records of rows and a batch trailer.
 * The fields of a batch header apply to all rows of the batch. Texts are filled with blanks on the right, numbers with
 * zeros on the left; a blank field means that the file does not state the value. Amounts are in minor units of their
 * currency without a sign; the field Cashflow states the direction.
 */
export const records = {
  FH: {
    title: 'file header',
    fields: [
      column(2, { name: 'Version', member: 'version', kind: matching('01', 2, /^01$/), isRequired: true }),
      column(35, factsField('Institute', 'institute', text(35))),
      column(35, factsField('FileId', 'fileId', text(35))),
      column(9, factsField('Sequence', 'sequence', count(1, 999_999_999, 9))),
      column(8, factsField('Created', 'createdOn', compactDay)),
      column(8, factsField('SettlementDay', 'settledOn', compactDay)),
    ],
  },
  BH: {
    title: 'batch header',
    fields: [
      column(64, rowField('ClearingInstituteMerchantId', 'clearingMerchantId')),
      column(64, rowField('SettlementTxId', 'settlementId')),
      column(3, rowField('SettlementCurrency', 'settlementCurrency')),
      column(8, rowField('SettlementDate', 'settledOn', { kind: compactDay })),
    ],
  },
  DT: { title: 'detail: a transaction', kind: 'SETTLED', fields: transaction },
  CB: { title: 'chargeback', kind: 'CHARGEBACK', fields: dispute },
  CR: { title: 'reversal of a chargeback', kind: 'CHARGEBACK REVERSAL', fields: dispute },
  FE: {
    title: 'fee',
    kind: 'FEE',
    fields: [
      column(2, rowField('PaymentType', 'type', { kind: feeTypes })),
      ...directionAndStatus,
      ...amounts,
      column(32, rowField('UniqueID', 'uniqueId')),
      column(32, rowField('ConnectorTxId1', 'connectorTxId1')),
      column(40, rowField('Descriptor', 'descriptor')),
    ],
  },
  BT: {
    title: 'batch trailer',
    fields: [
      counter('Rows', 'rowCount', 8),
      counter('SumPositive', 'positiveMinor', 16),
      counter('SumNegative', 'negativeMinor', 16),
    ],
  },
  FT: {
    title: 'file trailer: the counts, and the sum of all SettlementAmounts without regard to direction, modulo 10^15',
    fields: [
      counter('Batches', 'batchCount', 8),
      counter('Rows', 'rowCount', 8),
      counter('HashTotal', 'hashTotal', 15),
    ],
  },
} as const satisfies Readonly<
  Record<string, { readonly title: string; readonly kind?: string; readonly fields: readonly FixedField[] }>
>

export type RecordType = keyof typeof records

/** The types of records that may follow each other: the state of a file, and the state after a record. */
const recordOrder = {
  start: { FH: 'file' },
  file: { BH: 'batch', FT: 'end' },
  batch: { DT: 'batch', CB: 'batch', CR: 'batch', FE: 'batch', BT: 'file' },
  end: {},
} as const satisfies Readonly<Record<string, { readonly [Type in RecordType]?: 'file' | 'batch' | 'end' }>>

/** The format as a specification of records. */
export const fixedWidthSpec = recordSpec<RecordType>(records, recordOrder)

/** The members of a batch header, which the rows of the batch share. */
export const batchMembers = [
  'clearingMerchantId',
  'settlementId',
  'settlementCurrency',
  'settledOn',
] as const satisfies readonly Member[]
