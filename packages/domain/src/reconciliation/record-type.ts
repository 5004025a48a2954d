import type { PaymentType } from '../payment/transaction.ts'
import type { SettledType, SettlementKind, SettlementRow } from '../settlement/settlement-row.ts'

/** The reconciliation record of transactions of some types. */
export interface RecordType {
  readonly kind: SettlementKind
  /** The types of the transaction; of a chargeback or its reversal, those of the disputed transaction. */
  readonly of: readonly PaymentType[]
  readonly type: SettledType
  readonly cashflow: SettlementRow['cashflow']
}

const row = (
  kind: SettlementKind,
  type: SettledType,
  cashflow: SettlementRow['cashflow'],
  ...of: readonly PaymentType[]
): RecordType => ({ kind, of, type, cashflow })

/**
 * ReconciliationType, PaymentType and Cashflow of each transaction (domain notes, section 9). A chargeback has the
 * PaymentType of the disputed transaction and its opposite direction; the reversal of a chargeback its direction.
 */
export const recordTypes: readonly RecordType[] = [
  row('SETTLED', 'DEBIT', 'POS', 'DB', 'CP', 'RB', 'RC'),
  row('SETTLED', 'CREDIT', 'NEG', 'CD'),
  row('SETTLED', 'REFUND', 'NEG', 'RF'),
  row('CHARGEBACK', 'DEBIT', 'NEG', 'DB', 'CP', 'RB'),
  row('CHARGEBACK', 'REFUND', 'POS', 'RF'),
  row('CHARGEBACK REVERSAL', 'DEBIT', 'POS', 'DB', 'CP', 'RB'),
  row('CHARGEBACK REVERSAL', 'REFUND', 'NEG', 'RF'),
  row('FEE', 'AUTH_FEE', 'NEG', 'PA', 'DB'),
  row('FEE', 'CAPTURE_FEE', 'NEG', 'CP'),
  row('FEE', 'CANCEL_FEE', 'NEG', 'RV'),
  row('FEE', 'REFUND_FEE', 'NEG', 'RF'),
  row('FEE', 'BATCH', 'NEG'),
  row('FEE', 'MONTHLY', 'NEG'),
  row('FEE', 'SUBMERCHANT', 'NEG'),
  row('FEE', 'PAYMENT_FACILITATOR', 'NEG'),
]

/** The record of a transaction; undefined if transactions of this type have no record of this kind. */
export const recordTypeOf = (kind: SettlementKind, type: PaymentType): RecordType | undefined =>
  recordTypes.find((recordType) => recordType.kind === kind && recordType.of.includes(type))

/** What a row states about its transaction; SETTLEMENT REVERSAL takes a settlement back. */
export type MatchedKind = SettlementKind | 'SETTLEMENT REVERSAL'

/**
 * Acquirers state the reversal of a transaction that was settled before, because it came after the end of the business
 * day, as a settlement in the opposite direction.
 */
export function matchedKindOf({
  kind,
  type,
  cashflow,
}: Pick<SettlementRow, 'kind' | 'type' | 'cashflow'>): MatchedKind {
  const settled = recordTypes.find((recordType) => recordType.kind === 'SETTLED' && recordType.type === type)
  return kind === 'SETTLED' && cashflow !== settled?.cashflow ? 'SETTLEMENT REVERSAL' : kind
}

/** The types of the transactions that a row of a settlement file can settle. */
export const transactionTypesOf = ({ kind, type }: Pick<SettlementRow, 'kind' | 'type'>): readonly PaymentType[] =>
  recordTypes.find((recordType) => recordType.kind === kind && recordType.type === type)?.of ?? []
