import { isAmount, type SettlementRow } from '@tollgate/domain'
import { isSettlementRow, type Member, type RowValues } from '../row-members.ts'
import { type BookedEntry, NOT_PROVIDED, signed } from './booked-entry.ts'
import type { Direction } from './booking-codes.ts'
import { paymentIds } from './elements.ts'
import type { Fail, Group } from './read-groups.ts'

/** What a transaction adds to its entry. */
export interface Transaction {
  /** The amount of the transaction in the entry, minor units, not negative. */
  readonly bookedMinor: number
  readonly direction: Direction
  readonly endToEndId: string | undefined
  readonly group: Group
}

/** Members of a row that a transaction states as they are. */
const copied: readonly Member[] = [
  'connectorTxId1',
  'connectorTxId2',
  'connectorTxId3',
  'fxRate',
  'bankCode',
  'descriptor',
  'holder',
  'last4',
  'reason',
]

/** The member of a row that an EndToEndId is, by its form. */
export function memberOfEndToEndId(id: string): 'uniqueId' | 'shortId' | 'merchantTransactionId' | undefined {
  if (paymentIds.uniqueId.test(id)) return 'uniqueId'
  if (paymentIds.shortId.test(id)) return 'shortId'
  return id === NOT_PROVIDED ? undefined : 'merchantTransactionId'
}

/**
 * The row of a transaction. The booked amount is net of the charges that the bank states for the transaction: of a
 * credit they were deducted, to a debit they were added. Charges that are not included in the amount (ChrgInclInd) are
 * an entry of their own, and no fee of this row. Without an instructed amount, the amount of the transaction is that of
 * the settlement.
 */
export function rowOfTransaction(
  kind: Pick<SettlementRow, 'kind' | 'type'>,
  entry: BookedEntry,
  { bookedMinor, direction, endToEndId, group: { values, line } }: Transaction,
  fail: Fail,
): SettlementRow {
  const { feeMinor, feeCurrency = entry.currency } = isFeeIncluded(values) ? values : {}
  if (feeCurrency !== entry.currency) fail('CURRENCY', 'Chrgs')
  const settlementAmountMinor = bookedMinor + signed(Number(feeMinor ?? 0), direction)
  if (!isAmount(settlementAmountMinor)) fail('AMOUNT', 'Chrgs')
  const row = rowBase(kind, entry, direction, line)
  row.clearingMerchantId = values['clearingMerchantId'] ?? entry.account
  row.amountMinor = values['amountMinor'] ?? settlementAmountMinor
  row.currency = values['currency'] ?? entry.currency
  row.settlementAmountMinor = settlementAmountMinor
  if (feeMinor !== undefined) row.feeMinor = feeMinor
  if (typeof values['presentedAtMs'] === 'number') row.presentedAtMs = values['presentedAtMs']
  const idMember = endToEndId === undefined ? undefined : memberOfEndToEndId(endToEndId)
  if (idMember !== undefined) row[idMember] = endToEndId
  for (const member of copied) if (values[member] !== undefined) row[member] = values[member]
  return isSettlementRow(row) ? row : fail('VALUE')
}

/** The row of an entry without transactions: a fee. */
export function rowOfEntry(kind: Pick<SettlementRow, 'kind' | 'type'>, entry: BookedEntry, fail: Fail): SettlementRow {
  const row = rowBase(kind, entry, entry.direction, entry.line)
  row.clearingMerchantId = entry.account
  row.amountMinor = entry.amountMinor
  row.currency = entry.currency
  row.settlementAmountMinor = entry.amountMinor
  return isSettlementRow(row) ? row : fail('VALUE')
}

const isFeeIncluded = ({ isFeeIncluded: indicator }: Group['values']): boolean =>
  indicator !== 'false' && indicator !== '0'

function rowBase(
  { kind, type }: Pick<SettlementRow, 'kind' | 'type'>,
  { reference, currency, bookedOn }: BookedEntry,
  direction: Direction,
  line: number,
): RowValues {
  const cashflow = direction === 'CRDT' ? 'POS' : 'NEG'
  const row: RowValues = {
    line,
    kind,
    type,
    cashflow,
    settlementCurrency: currency,
    settledOn: bookedOn,
    status: 'SUCCESS',
  }
  if (reference !== undefined) row.settlementId = reference
  return row
}
