import {
  type ChargebackReason,
  type CurrencyCode,
  currencies,
  isCurrency,
  type ReconciliationRecord,
} from '@tollgate/contract'
import { invariant } from '../guard.ts'
import { formatAmount, hasTwoDecimals } from '../money.ts'
import { wallTimeText } from '../time-zone.ts'
import type { SettlementRow } from '../settlement/settlement-row.ts'
import { chargebackReasonOf } from './chargeback-reasons.ts'
import { rateHundredths } from './converted-amount.ts'

/** The institute that wrote a settlement file. */
export interface SettlementSource {
  readonly instituteName: string
  /** The name of the file's format, such as `CAMT053`. */
  readonly format: string
  /** The time zone of the institute (IANA). */
  readonly timeZone: string
  /** When the file was read, epoch milliseconds. */
  readonly readAtMs: number
}

/** The entities of a row, 32 letters or digits each. */
export interface RecordEntities {
  readonly pspId: string
  readonly divisionId?: string | undefined
  readonly merchantId: string
  readonly merchantAccountId: string
  readonly merchantAccountName?: string | undefined
}

/** The data of the matched transaction that its record repeats. */
export interface RecordedPayment {
  readonly id: string
  readonly shortId: string
  readonly brand?: string | undefined
  readonly merchantTransactionId?: string | undefined
  readonly merchantInvoiceId?: string | undefined
  readonly connectorTxId1?: string | undefined
  readonly connectorTxId2?: string | undefined
  readonly connectorTxId3?: string | undefined
  readonly merchantMemo?: string | undefined
}

/** The result of matching a row, without the rule that decided. */
export type RecordedVerdict =
  | { readonly status: 'MATCHED'; readonly id: string | undefined }
  | { readonly status: 'MULTIPLE_MATCHES'; readonly ids: readonly string[] }
  | { readonly status: 'NOT_MATCHED' }

/** Everything from which the reconciliation record of a row is made. */
export interface RecordSources {
  readonly row: SettlementRow
  readonly source: SettlementSource
  readonly entities: RecordEntities
  /** Undefined before the row is matched. */
  readonly verdict?: RecordedVerdict | undefined
  /** The transaction that the verdict names. */
  readonly payment?: RecordedPayment | undefined
  /** The chargeback, or reversal of one, that the service created for the row. */
  readonly chargebackId?: string | undefined
  /** The result of the chargeback; undefined: the one that the row states. */
  readonly chargeback?: ChargebackReason | undefined
}

/**
 * The reconciliation record of a row (contract, Reconciliation record), as texts. Amounts have two decimals, so that a
 * third one of dinars is rounded; the row remains exact. References that the file does not state, because its format
 * has no room for them, are those of the transaction. The brand is that of the transaction, if one is matched.
 *
 * @throws {InvariantError} if a currency is not one of ISO 4217, or an amount is out of bounds; `recordLine` checks the
 * other values
 */
export function reconciliationRecord(sources: RecordSources): ReconciliationRecord {
  const { row, source, entities, payment, chargebackId } = sources
  const { currency, settlementCurrency } = row
  invariant(isCurrency(currency) && isCurrency(settlementCurrency), 'a settlement row has currencies of ISO 4217')
  const brand = payment?.brand ?? row.brand
  const reason = row.kind === 'CHARGEBACK' ? (sources.chargeback ?? chargebackReasonOf(brand, row.reason)) : undefined
  return {
    ReconciliationType: row.kind,
    PaymentType: row.type,
    Cashflow: row.cashflow,
    ClearingInstituteMerchantId: row.clearingMerchantId,
    MerchantAccountId: entities.merchantAccountId,
    MerchantAccountName: entities.merchantAccountName,
    PspId: entities.pspId,
    DivisionId: entities.divisionId,
    MerchantId: entities.merchantId,
    SettlementTxId: row.settlementId,
    UniqueID: payment?.id ?? row.uniqueId,
    ShortId: payment?.shortId ?? row.shortId,
    TransactionId: payment?.merchantTransactionId,
    InvoiceId: payment?.merchantInvoiceId,
    ConnectorTxId1: row.connectorTxId1 ?? payment?.connectorTxId1,
    ConnectorTxId2: row.connectorTxId2 ?? payment?.connectorTxId2,
    ConnectorTxId3: row.connectorTxId3 ?? payment?.connectorTxId3,
    Amount: amountText(row.amountMinor, currency),
    Currency: currency,
    Brand: brand,
    TxRequestTime: wallTimeText(source.timeZone, row.presentedAtMs ?? source.readAtMs),
    SettlementAmount: amountText(row.settlementAmountMinor, settlementCurrency),
    SettlementCurrency: settlementCurrency,
    SettlementFee: row.feeMinor === undefined ? undefined : amountText(row.feeMinor, settlementCurrency),
    SettlementFxRate: rateText(row, currency, settlementCurrency),
    SettlementDate: row.settledOn,
    SettlementStatus: row.status,
    Descriptor: row.descriptor,
    AccountNumberLast4: row.last4,
    BankCode: row.bankCode,
    AccountHolder: row.holder,
    ReasonCode: reason?.resultCode,
    ReasonDesc: reason?.text,
    SettlementFileFormat: source.format,
    ClearingInsitituteName: source.instituteName,
    MatchingStatus: sources.verdict?.status,
    MatchedTransactions: matchedIds(sources.verdict),
    ChargebackId: chargebackId,
    MerchantMemo: payment?.merchantMemo,
  }
}

/** An amount with two decimals; further decimals are rounded half up. */
function amountText(amountMinor: number, currency: CurrencyCode): string {
  if (hasTwoDecimals(amountMinor, currency)) return formatAmount(amountMinor, currency)
  const hundredthMinor = 10 ** (currencies[currency].exponent - 2)
  return formatAmount(Math.round(amountMinor / hundredthMinor) * hundredthMinor, currency)
}

/** The rate with two decimals: that of the file, or the ratio of the amounts. */
function rateText(row: SettlementRow, currency: CurrencyCode, settlementCurrency: CurrencyCode): string {
  const hundredths = rateHundredths(
    row.fxRate,
    { minor: row.amountMinor, currency },
    { minor: row.settlementAmountMinor, currency: settlementCurrency },
  )
  return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`
}

function matchedIds(verdict: RecordedVerdict | undefined): string | undefined {
  if (verdict?.status === 'MATCHED') return verdict.id
  return verdict?.status === 'MULTIPLE_MATCHES' ? verdict.ids.join(',') : undefined
}
