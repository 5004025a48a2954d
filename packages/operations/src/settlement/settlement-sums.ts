import { createHash } from 'node:crypto'
import type { SettlementRow } from '@tollgate/domain'
import type { SettlementRowRow, SettlementSumRow } from '@tollgate/storage'
import type { RowChange } from './settled-entries.ts'
import { rowIn } from './stored-row.ts'

/** The members of a stored row that follow from its other members. */
type Reported = Pick<SettlementRowRow, 'aggregation_id' | 'presented_at_ms'>

/**
 * The settlement in its merchant's reports to which a row belongs. The settlement of a row is defined by its channel,
 * the merchant's id at the institute, the institute's settlement id, the currency of settlement, and the day.
 */
export function reported(
  { merchant, channel }: Pick<SettlementRowRow, 'merchant' | 'channel'>,
  settled: SettlementRow,
): Reported {
  if (merchant === '') return { aggregation_id: null, presented_at_ms: null }
  return { aggregation_id: aggregationIdOf(channel, settled), presented_at_ms: settled.presentedAtMs ?? LAST_MS }
}

/** The time of a row without a time: reports show the time at which its file was read, which is after the others. */
const LAST_MS = Date.UTC(2199, 11, 31)

function aggregationIdOf(channel: string, row: SettlementRow): string {
  const { clearingMerchantId, settlementId = '', settlementCurrency, settledOn } = row
  const traits = [channel, clearingMerchantId, settlementId, settlementCurrency, settledOn]
  if (traits.some((trait, index) => trait !== lastSettlement.traits[index])) {
    const digest = createHash('sha256').update(JSON.stringify(traits)).digest('hex')
    lastSettlement = { traits, id: digest.slice(0, ID_DIGITS) }
  }
  return lastSettlement.id
}

/** The settlement of the row before: the rows of a settlement follow each other. */
let lastSettlement: { readonly traits: readonly string[]; readonly id: string } = { traits: [], id: '' }

const ID_DIGITS = 32

/**
 * The changes of the sums by changes of rows, for the same unit of work: a row leaves the sums that it was in, and
 * joins those in which it is now. A row without a merchant is in none.
 */
export function sumChanges(changes: readonly RowChange[]): readonly SettlementSumRow[] {
  const sums = new Map<string, Sum>()
  const add = (stored: SettlementRowRow | undefined, records: 1 | -1, count: 0 | 1): void => {
    if (!stored || stored.aggregation_id === null) return
    const row = rowIn(stored)
    const key = `${stored.aggregation_id} ${row.kind} ${row.type} ${row.cashflow} ${row.status}`
    let sum = sums.get(key)
    if (!sum) sums.set(key, (sum = emptySum(stored, row, stored.aggregation_id)))
    sum.records += records
    sum.amount_minor += records * row.settlementAmountMinor
    sum.fee_minor += records * (row.feeMinor ?? 0)
    sum.changes += count
  }
  for (const { from, to } of changes) {
    add(from, -1, from?.aggregation_id === to.aggregation_id ? 0 : 1)
    add(to, 1, 1)
  }
  return [...sums.values()]
}

/** A sum while rows are added to it: a copy for each row would take as long as all else here. */
type Sum = { -readonly [Column in keyof SettlementSumRow]: SettlementSumRow[Column] }

const emptySum = ({ merchant, channel }: SettlementRowRow, row: SettlementRow, aggregationId: string): Sum => ({
  merchant,
  settled_on: row.settledOn,
  aggregation_id: aggregationId,
  kind: row.kind,
  type: row.type,
  cashflow: row.cashflow,
  outcome: row.status,
  channel,
  clearing_merchant_id: row.clearingMerchantId,
  settlement_id: row.settlementId ?? '',
  currency: row.settlementCurrency,
  records: 0,
  amount_minor: 0,
  fee_minor: 0,
  changes: 0,
})
