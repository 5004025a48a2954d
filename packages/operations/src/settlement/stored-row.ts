import { InvariantError } from '@tollgate/contract'
import type { SettlementRow } from '@tollgate/domain'
import type { SettlementRowRow, TransactionRow } from '@tollgate/storage'
import { type TSchema, Type } from 'typebox'
import { optional, storedReader } from '../records/stored-json.ts'
import { storedList } from '../records/stored-list.ts'
import { type PaymentReferences, paymentReferencesOf, referenceColumns } from './recorded-payment.ts'

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

/** The columns of a stored row, in their order in its JSON. Those that files seldom state are last. */
const columns = {
  /** The references of the matched transaction, which are a list, too. */
  payment: optional(Type.Object(referenceColumns)),
  ...rowTraits,
  line: Type.Integer(),
  clearingMerchantId: Type.String(),
  settlementId: text,
  settledOn: Type.String(),
  amountMinor: Type.Integer(),
  currency: Type.String(),
  settlementAmountMinor: Type.Integer(),
  settlementCurrency: Type.String(),
  feeMinor: integer,
  presentedAtMs: integer,
  connectorTxId1: text,
  merchantTransactionId: text,
  brand: text,
  bin: text,
  last4: text,
  holder: text,
  connectorTxId2: text,
  connectorTxId3: text,
  approvalCode: text,
  networkTransactionId: text,
  terminalId: text,
  descriptor: text,
  clearingSequence: integer,
  fxRate: text,
  uniqueId: text,
  shortId: text,
  bankCode: text,
  reason: text,
  dueOn: text,
} satisfies Record<keyof RowWithPayment, TSchema>

const rowShape = Type.Object(columns)
const rowList = storedList(columns)
const referenceList = storedList(referenceColumns)

const readRow = storedReader(rowShape, (stored) => rowList.objectOf(withReferences(stored)))
const readRows = storedReader(Type.Array(rowShape), (stored) =>
  Array.isArray(stored) ? stored.map((each) => rowList.viewOf(withReferences(each))) : undefined,
)

/** The list of a row, in which the list of references was replaced by a view. The check refuses other references. */
function withReferences(stored: unknown): unknown {
  if (Array.isArray(stored) && stored[0] !== null) stored[0] = referenceList.viewOf(stored[0]) ?? false
  return stored
}

/** Rows that were read from a file by this process, by the row that stores them: they need not be parsed. */
const rowsRead = new WeakMap<object, SettlementRow>()

/** Remembers the row as it was read from its file, for `rowIn`. @returns the stored row */
export function withRow(stored: SettlementRowRow, row: SettlementRow): SettlementRowRow {
  rowsRead.set(stored, row)
  return stored
}

const withoutPayment = { payment: undefined }

/** The row of a settlement file as it was read. */
export function rowIn(stored: Pick<SettlementRowRow, 'row'>): SettlementRow {
  const read = rowsRead.get(stored)
  return read ?? { ...readRow(stored.row), ...withoutPayment }
}

/** The row of a settlement file with the references of its transaction, if one is matched. */
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
 * The JSON of a row: a list of its values, the first of which are the references of its transaction.
 *
 * @param about the transaction that is matched with it
 */
export function rowJson(row: SettlementRow, about: TransactionRow | undefined): string {
  const values = rowList.valuesOf(row)
  values[0] = about && referenceList.valuesOf(paymentReferencesOf(row, about))
  return JSON.stringify(values)
}

/** The JSON of a row without references, for a row that is shown with another match than it has. */
export const withoutReferences = (stored: Pick<SettlementRowRow, 'row'>): string => rowJson(rowIn(stored), undefined)
