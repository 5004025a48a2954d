import * as fc from 'fast-check'
import { reportPage, reportSnapshot, settlementSum } from './sample-rows.ts'
import { id, rowsOf, sumsOf } from './random-values.ts'

/** Snapshots and pages of reports with few ids and times, so that compare-and-sets often succeed. */
const snapshot = fc
  .tuple(id, fc.nat(2))
  .map(([rowId, expiresAtMs]) => reportSnapshot(rowId, { expires_at_ms: expiresAtMs }))
const page = fc.nat(1).map((number) => reportPage(number, { expires_at_ms: number }))

/** Removals of rows of reports. */
export const reportRemovals = [
  snapshot.map((from) => ({ table: 'report_snapshot' as const, from, to: null })),
  page.map((from) => ({ table: 'report_page' as const, from, to: null })),
]

/** New rows of reports, by table. */
export const reportRows = {
  settlement_sum: sumsOf((day, amount) => settlementSum({ settled_on: `d${day}`, amount_minor: amount })),
  report_snapshot: rowsOf(snapshot),
  report_page: rowsOf(page),
}
