import type { SettlementRow } from '@tollgate/domain'
import {
  count,
  currencyCode,
  day,
  decimalAmount,
  freeText,
  matching,
  oneOf,
  text,
  time,
  type Value,
  type ValueKind,
} from './value-kinds.ts'

/** The members of a row that a file states. */
export type Member = Exclude<keyof SettlementRow, 'line'>

/** A member of a row: its values in texts of any format, unless the table of a format has a notation of its own. */
export interface MemberRule {
  readonly kind: ValueKind
  readonly isRequired: boolean
  /** The member with the currency of an amount. */
  readonly currency?: 'currency' | 'settlementCurrency' | undefined
}

const required = (kind: ValueKind): MemberRule => ({ kind, isRequired: true })
const optional = (kind: ValueKind): MemberRule => ({ kind, isRequired: false })
const amount = (currency: 'currency' | 'settlementCurrency', isRequired: boolean): MemberRule => ({
  kind: decimalAmount,
  isRequired,
  currency,
})

/** The members of a row. Their lengths are those of the reconciliation record, which rows become. */
export const rowMembers: Readonly<Record<Member, MemberRule>> = {
  kind: required(oneOf('SETTLED', 'CHARGEBACK', 'CHARGEBACK REVERSAL', 'FEE')),
  type: required(
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
  ),
  cashflow: required(oneOf('POS', 'NEG')),
  clearingMerchantId: required(text(64, 5)),
  settlementId: optional(text(64)),
  uniqueId: optional(matching('32 letters or digits', 32, /^[0-9A-Za-z]{32}$/)),
  shortId: optional(text(14)),
  merchantTransactionId: optional(text(255)),
  connectorTxId1: optional(text(64)),
  connectorTxId2: optional(text(64)),
  connectorTxId3: optional(text(64)),
  approvalCode: optional(matching('1 to 6 letters or digits', 6, /^[0-9A-Za-z]{1,6}$/)),
  networkTransactionId: optional(text(64)),
  clearingSequence: optional(count(1, 99)),
  terminalId: optional(text(16)),
  amountMinor: amount('currency', true),
  currency: required(currencyCode),
  settlementAmountMinor: amount('settlementCurrency', true),
  settlementCurrency: required(currencyCode),
  feeMinor: amount('settlementCurrency', false),
  fxRate: optional(matching('decimal number with up to 10 decimals', 21, /^\d{1,10}(?:\.\d{1,10})?$/)),
  presentedAtMs: optional(time),
  settledOn: required(day),
  status: required(oneOf('SUCCESS', 'FAILED')),
  brand: optional(text(16)),
  descriptor: optional(freeText(128)),
  bin: optional(matching('6 to 8 digits', 8, /^\d{6,8}$/)),
  last4: optional(matching('1 to 4 letters or digits', 4, /^[0-9A-Za-z]{1,4}$/)),
  bankCode: optional(text(12)),
  holder: optional(freeText(128)),
  reason: optional(text(10)),
  dueOn: optional(day),
}

/** Values of a row while it is read; amounts in minor units. */
export type RowValues = { [Key in Member]?: Value | undefined } & { line: number }

const transactionTypes = new Set<Value | undefined>(['DEBIT', 'CREDIT', 'REFUND'])

/** Whether the kind of the row fits its type: fees have types of their own. */
const typeFitsKind = ({ kind, type }: RowValues): boolean => (kind === 'FEE') !== transactionTypes.has(type)

/**
 * Whether values are a row. The table of the format has ensured that each value is of its kind and that the required
 * ones are present; this is the rule between them.
 */
export const isSettlementRow = (values: RowValues): values is RowValues & SettlementRow => typeFitsKind(values)
