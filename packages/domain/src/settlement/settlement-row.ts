/** The kinds of rows of a settlement file; column ReconciliationType of the reconciliation record. */
export type SettlementKind = 'SETTLED' | 'CHARGEBACK' | 'CHARGEBACK REVERSAL' | 'FEE'

/** The transactions or fees that a row settles; column PaymentType of the reconciliation record. */
export type SettledType =
  | 'DEBIT'
  | 'CREDIT'
  | 'REFUND'
  | 'BATCH'
  | 'MONTHLY'
  | 'SUBMERCHANT'
  | 'PAYMENT_FACILITATOR'
  | 'AUTH_FEE'
  | 'CAPTURE_FEE'
  | 'CANCEL_FEE'
  | 'REFUND_FEE'

/**
 * A row of a settlement file of an acquirer or bank, the same for all file formats. Amounts are in minor units of their
 * currency and not negative; `cashflow` is their direction. An absent member means that the file does not state it.
 */
export interface SettlementRow {
  readonly kind: SettlementKind
  readonly type: SettledType
  /** POS: the merchant receives the amount. NEG: the merchant pays it. */
  readonly cashflow: 'POS' | 'NEG'
  /** The merchant's id at the clearing institute. */
  readonly clearingMerchantId: string
  /** The institute's id of the settlement, which rows share. */
  readonly settlementId?: string | undefined
  /** The id of the payment, 32 letters or digits, as the institute returns it. */
  readonly uniqueId?: string | undefined
  readonly shortId?: string | undefined
  readonly merchantTransactionId?: string | undefined
  readonly connectorTxId1?: string | undefined
  readonly connectorTxId2?: string | undefined
  readonly connectorTxId3?: string | undefined
  readonly approvalCode?: string | undefined
  readonly networkTransactionId?: string | undefined
  /** The sequence number of a capture among the captures of its authorisation, from 1. */
  readonly clearingSequence?: number | undefined
  readonly terminalId?: string | undefined
  /** The amount of the transaction, before fees, in the currency of the transaction. */
  readonly amountMinor: number
  readonly currency: string
  /** The amount in the currency of settlement, before fees. */
  readonly settlementAmountMinor: number
  readonly settlementCurrency: string
  /** The fee of the institute, in the currency of settlement. */
  readonly feeMinor?: number | undefined
  /** The exchange rate, a decimal number as in the file; informative, because the amounts are exact. */
  readonly fxRate?: string | undefined
  /** The time of the transaction, epoch milliseconds. */
  readonly presentedAtMs?: number | undefined
  /** The day of settlement, yyyy-MM-dd in the time zone of the institute. */
  readonly settledOn: string
  readonly status: 'SUCCESS' | 'FAILED'
  readonly brand?: string | undefined
  readonly descriptor?: string | undefined
  readonly bin?: string | undefined
  /** The last four digits of the card number or account number. */
  readonly last4?: string | undefined
  readonly bankCode?: string | undefined
  readonly holder?: string | undefined
  /** The reason code of the network or bank for a chargeback, such as `10.4` or `MD06`. */
  readonly reason?: string | undefined
  /** The day by which a chargeback must be answered, yyyy-MM-dd. */
  readonly dueOn?: string | undefined
  /** The line of the file, from 1. */
  readonly line: number
}
