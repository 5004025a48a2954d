import { InvariantError } from '@tollgate/contract'
import type { SettlementRow } from '@tollgate/domain'
import type { SettlementRowRow, TransactionRow } from '@tollgate/storage'
import { Type } from 'typebox'
import { optional, storedReader } from '../records/stored-json.ts'
import { type PaymentReferences, paymentReferences, paymentReferencesOf } from './recorded-payment.ts'

const text = optional(Type.String())
const integer = optional(Type.Integer())

/** The traits by which reports add rows up. */
export const rowTraits = {
  kind: Type.Enum(['SETTLED', 'CHARGEBACK', 'CHARGEBACK REVERSAL', 'FEE']),
  type: Type.Enum([
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
  ]),
  cashflow: Type.Enum(['POS', 'NEG']),
  status: Type.Enum(['SUCCESS', 'FAILED']),
}

const rowShape = Type.Object({
  ...rowTraits,
  clearingMerchantId: Type.String(),
  settlementId: text,
  uniqueId: text,
  shortId: text,
  merchantTransactionId: text,
  connectorTxId1: text,
  connectorTxId2: text,
  connectorTxId3: text,
  approvalCode: text,
  networkTransactionId: text,
  clearingSequence: integer,
  terminalId: text,
  amountMinor: Type.Integer(),
  currency: Type.String(),
  settlementAmountMinor: Type.Integer(),
  settlementCurrency: Type.String(),
  feeMinor: integer,
  fxRate: text,
  presentedAtMs: integer,
  settledOn: Type.String(),
  brand: text,
  descriptor: text,
  bin: text,
  last4: text,
  bankCode: text,
  holder: text,
  reason: text,
  dueOn: text,
  line: Type.Integer(),
  payment: optional(paymentReferences),
})

const readRow = storedReader(rowShape)
const readRows = storedReader(Type.Array(rowShape))

/** Rows that were read from a file by this process, by the row that stores them: they need not be parsed. */
const rowsRead = new WeakMap<object, SettlementRow>()

/** Remembers the row as it was read from its file, for `rowIn`. @returns the stored row */
export function withRow(stored: SettlementRowRow, row: SettlementRow): SettlementRowRow {
  rowsRead.set(stored, row)
  return stored
}

/** The row of a settlement file as it was read. */
export function rowIn(stored: Pick<SettlementRowRow, 'row'>): SettlementRow {
  const read = rowsRead.get(stored)
  if (read) return read
  const { payment: _payment, ...row } = readRow(stored.row)
  return row
}

/**
 * The row of a settlement file with the references of its matched transaction. They are undefined if none is matched,
 * or if the row was matched before rows had them.
 */
export type RowWithPayment = SettlementRow & { readonly payment?: PaymentReferences | undefined }

/** The rows of settlement files with their references. The JSON of many rows is parsed faster as one text. */
export function rowsWithPayment(stored: readonly Pick<SettlementRowRow, 'row'>[]): readonly RowWithPayment[] {
  let json = ''
  for (const { row } of stored) json += json === '' ? row : `,${row}`
  const rows = readRows(`[${json}]`)
  if (rows.length !== stored.length) throw new InvariantError('stored JSON has an unknown shape')
  return rows
}

/**
 * The JSON of a row. The references are appended to its text, because a copy of the row takes longer.
 *
 * @param about the transaction that is matched with it
 */
export function rowJson(row: SettlementRow, about: TransactionRow | undefined): string {
  const json = JSON.stringify(row)
  return about ? `${json.slice(0, -1)},"payment":${JSON.stringify(paymentReferencesOf(row, about))}}` : json
}
