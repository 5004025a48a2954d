import { createHash } from 'node:crypto'
import type { SettlementRow } from '@tollgate/domain'
import type { SettlementRowRow, SettlementSumRow } from '@tollgate/storage'
import type { RowChange } from './settled-entries.ts'
import { rowIn } from './stored-row.ts'

/** The members of a stored row that follow from its other members. */
type Reported = Pick<SettlementRowRow, 'aggregation_id' | 'presented_at_ms'>

/**
 * Assigns a stored row to a settlement of its merchant's reports. The settlement of a row is defined by its channel,
 * the merchant's id at the institute, the institute's settlement id, the currency of settlement, and the day.
 */
export function reported(row: Omit<SettlementRowRow, keyof Reported>, settled: SettlementRow): SettlementRowRow {
  if (row.merchant === '') return { ...row, aggregation_id: null, presented_at_ms: null }
  return {
    ...row,
    aggregation_id: aggregationIdOf(row.channel, settled),
    presented_at_ms: settled.presentedAtMs ?? LAST_MS,
  }
}

/** The time of a row without a time: reports show the time at which its file was read, which is after the others. */
const LAST_MS = Date.UTC(2199, 11, 31)

function aggregationIdOf(channel: string, row: SettlementRow): string {
  const { clearingMerchantId, settlementId = '', settlementCurrency, settledOn } = row
  const traits = [channel, clearingMerchantId, settlementId, settlementCurrency, settledOn]
  const key = JSON.stringify(traits)
  if (key !== lastSettlement.key)
    lastSettlement = { key, id: createHash('sha256').update(key).digest('hex').slice(0, ID_DIGITS) }
  return lastSettlement.id
}

/** The settlement of the row before: the rows of a settlement follow each other. */
let lastSettlement = { key: '', id: '' }

const ID_DIGITS = 32

/**
 * The changes of the sums by changes of rows, for the same unit of work: a row leaves the sums that it was in, and
 * joins those in which it is now. A row without a merchant is in none.
 */
export function sumChanges(changes: readonly RowChange[]): readonly SettlementSumRow[] {
  const sums = new Map<string, Sum>()
  const add = (row: SettlementRowRow | undefined, records: 1 | -1, count: 0 | 1): void => {
    if (!row || row.aggregation_id === null) return
    const change = sumRow(row, row.aggregation_id, records, count)
    const { aggregation_id: id, kind, type, cashflow, outcome } = change
    const key = `${id} ${kind} ${type} ${cashflow} ${outcome}`
    const sum = sums.get(key)
    if (sum) addTo(sum, change)
    else sums.set(key, change)
  }
  for (const { from, to } of changes) {
    add(from, -1, from?.aggregation_id === to.aggregation_id ? 0 : 1)
    add(to, 1, 1)
  }
  return [...sums.values()]
}

function sumRow(stored: SettlementRowRow, aggregationId: string, records: 1 | -1, changes: 0 | 1): SettlementSumRow {
  const row = rowIn(stored)
  return {
    merchant: stored.merchant,
    settled_on: row.settledOn,
    aggregation_id: aggregationId,
    kind: row.kind,
    type: row.type,
    cashflow: row.cashflow,
    outcome: row.status,
    channel: stored.channel,
    clearing_merchant_id: row.clearingMerchantId,
    settlement_id: row.settlementId ?? '',
    currency: row.settlementCurrency,
    records,
    amount_minor: records * row.settlementAmountMinor,
    fee_minor: records * (row.feeMinor ?? 0),
    changes,
  }
}

/** A sum while rows are added to it: a copy for each row would take as long as all else here. */
type Sum = { -readonly [Column in keyof SettlementSumRow]: SettlementSumRow[Column] }

function addTo(sum: Sum, change: SettlementSumRow): void {
  sum.records += change.records
  sum.amount_minor += change.amount_minor
  sum.fee_minor += change.fee_minor
  sum.changes += change.changes
}
