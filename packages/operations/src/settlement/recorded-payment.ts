import type { RecordedPayment, SettlementRow } from '@tollgate/domain'
import type { TransactionRow } from '@tollgate/storage'
import { type TSchema, Type } from 'typebox'
import { shortIdOf } from '../ids.ts'
import { detailOf } from '../records/payment-record.ts'
import { optional, storedReader } from '../records/stored-json.ts'

/** The data of a matched transaction that are stored with its row, so that a record is made of the row alone. */
export type PaymentReferences = Omit<RecordedPayment, 'id' | 'shortId'>

const text = optional(Type.String())

/** The columns of `PaymentReferences`, in their order in the JSON of a row. */
export const referenceColumns = {
  merchantTransactionId: text,
  connectorTxId2: text,
  connectorTxId3: text,
  connectorTxId1: text,
  brand: text,
  merchantInvoiceId: text,
  merchantMemo: text,
} satisfies Record<keyof PaymentReferences, TSchema>

const readInvoice = storedReader(Type.Object({ merchantInvoiceId: text }))

const readMemo = storedReader(Type.Object({ merchantMemo: text }))

/** The references of a transaction that the record of a row repeats: what the row states itself is left out. */
export function paymentReferencesOf(settled: SettlementRow, row: TransactionRow): PaymentReferences {
  return {
    brand: row.brand === null || row.brand === settled.brand ? undefined : row.brand,
    merchantTransactionId: row.merchant_transaction_id ?? undefined,
    merchantInvoiceId: row.echo.includes('"merchantInvoiceId":') ? readInvoice(row.echo).merchantInvoiceId : undefined,
    connectorTxId1: settled.connectorTxId1 === undefined ? detailOf(row, 'ConnectorTxID1') : undefined,
    connectorTxId2: settled.connectorTxId2 === undefined ? detailOf(row, 'ConnectorTxID2') : undefined,
    connectorTxId3: settled.connectorTxId3 === undefined ? detailOf(row, 'ConnectorTxID3') : undefined,
    merchantMemo: row.facts.includes('"merchantMemo":') ? readMemo(row.facts).merchantMemo : undefined,
  }
}

/**
 * The payment of a record. Its members are listed: spreading the references, which have many shapes, takes longer than
 * all else here.
 *
 * @param id of the matched transaction
 */
export const recordedPayment = (id: string, references: PaymentReferences): RecordedPayment => ({
  id,
  shortId: shortIdOf(id),
  brand: references.brand,
  merchantTransactionId: references.merchantTransactionId,
  merchantInvoiceId: references.merchantInvoiceId,
  connectorTxId1: references.connectorTxId1,
  connectorTxId2: references.connectorTxId2,
  connectorTxId3: references.connectorTxId3,
  merchantMemo: references.merchantMemo,
})
