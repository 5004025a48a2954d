import { all, byId, one } from './declare-read.ts'
import { compareCodeUnits } from './memory/compare-code-units.ts'
import { select } from './memory/select.ts'
import type { SettlementRowRow, SettlementSumRow } from './schema.ts'
import { tables } from './tables.ts'

/** The order of the rows of a settlement: the time of the transaction, then the place in the files. */
const place = '(presented_at_ms, file_id, number)'

/** The order of the sums of a merchant. */
const sumOrder = tables.settlement_sum.key

/** The reads of settlement reports: sums, the rows of a settlement, and snapshots. */
export const reportReads = {
  /**
   * The sums of a merchant up to a day, after a settlement, by its day and id, at most `max`: the oldest. The rows of
   * the last settlement may be incomplete.
   */
  settlementSumsAfter: all(
    'settlement_sum',
    `WHERE merchant = ? AND settled_on <= ? AND (settled_on, aggregation_id) > (?, ?)
      ORDER BY ${sumOrder.join(', ')} LIMIT ?`,
    (disk, merchant: string, toDay: string, settledOn: string, aggregationId: string, max: number) =>
      inOrderOfSums(
        select(
          disk.settlement_sum,
          (row) =>
            row.merchant === merchant &&
            row.settled_on <= toDay &&
            (row.settled_on > settledOn || (row.settled_on === settledOn && row.aggregation_id > aggregationId)),
        ),
      ).slice(0, max),
  ),
  /** The sums of one settlement. */
  settlementSumsOf: all(
    'settlement_sum',
    `WHERE aggregation_id = ? ORDER BY ${sumOrder.join(', ')}`,
    (disk, aggregationId: string) =>
      inOrderOfSums(select(disk.settlement_sum, (row) => row.aggregation_id === aggregationId)),
  ),
  /**
   * The rows of a settlement after a row, by its time, file and number, at most `max`: the oldest.
   * @param kind `%` for all kinds
   */
  aggregationRowsAfter: all(
    'settlement_row',
    `WHERE aggregation_id = ? AND kind LIKE ? AND ${place} > (?, ?, ?)
      ORDER BY presented_at_ms, file_id, number LIMIT ?`,
    (disk, aggregationId: string, kind: string, atMs: number, fileId: string, number: number, max: number) =>
      rowsOf(disk.settlement_row, aggregationId, kind)
        .filter((row) => comparePlaces(row, { presented_at_ms: atMs, file_id: fileId, number }) > 0)
        .slice(0, max),
  ),
  /** Like `aggregationRowsAfter`, backwards: the newest rows before a row. */
  aggregationRowsBefore: all(
    'settlement_row',
    `WHERE aggregation_id = ? AND kind LIKE ? AND ${place} < (?, ?, ?)
      ORDER BY presented_at_ms DESC, file_id DESC, number DESC LIMIT ?`,
    (disk, aggregationId: string, kind: string, atMs: number, fileId: string, number: number, max: number) =>
      rowsOf(disk.settlement_row, aggregationId, kind)
        .filter((row) => comparePlaces(row, { presented_at_ms: atMs, file_id: fileId, number }) < 0)
        .toReversed()
        .slice(0, max),
  ),
  reportSnapshot: byId('report_snapshot'),
  reportPage: one('report_page', 'WHERE content_id = ? AND number = ?', (disk, contentId: string, number: number) =>
    disk.report_page.get(`${contentId} ${number}`),
  ),
  /** At most `max` snapshots that expired before a time, epoch milliseconds: the oldest. */
  reportSnapshotsBefore: all(
    'report_snapshot',
    'WHERE expires_at_ms < ? ORDER BY expires_at_ms, id LIMIT ?',
    (disk, atMs: number, max: number) =>
      select(disk.report_snapshot, (row) => row.expires_at_ms < atMs, 'expires_at_ms').slice(0, max),
  ),
  /** At most `max` pages that expired before a time, epoch milliseconds: the oldest. */
  reportPagesBefore: all(
    'report_page',
    'WHERE expires_at_ms < ? ORDER BY expires_at_ms, content_id, number LIMIT ?',
    (disk, atMs: number, max: number) =>
      select(disk.report_page, (row) => row.expires_at_ms < atMs)
        .toSorted(
          (a, b) =>
            a.expires_at_ms - b.expires_at_ms || compareCodeUnits(a.content_id, b.content_id) || a.number - b.number,
        )
        .slice(0, max),
  ),
}

const inOrderOfSums = (rows: readonly SettlementSumRow[]): SettlementSumRow[] =>
  rows.toSorted((a, b) => {
    for (const column of sumOrder) {
      const order = compareCodeUnits(String(Reflect.get(a, column)), String(Reflect.get(b, column)))
      if (order !== 0) return order
    }
    return 0
  })

type Place = Pick<SettlementRowRow, 'presented_at_ms' | 'file_id' | 'number'>

const comparePlaces = (a: Place, b: Place): number =>
  (a.presented_at_ms ?? 0) - (b.presented_at_ms ?? 0) || compareCodeUnits(a.file_id, b.file_id) || a.number - b.number

const rowsOf = (rows: ReadonlyMap<string, SettlementRowRow>, aggregationId: string, kind: string): SettlementRowRow[] =>
  select(rows, (row) => row.aggregation_id === aggregationId && (kind === '%' || row.kind === kind)).toSorted(
    comparePlaces,
  )
