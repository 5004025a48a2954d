import { rowIn } from '@tollgate/operations'
import type { MemoryDisk } from '@tollgate/storage'
import { fail } from './violation.ts'

// The invariants of settlement reports, written without the rules of the product. They hold after every commit.

/** The parts of a disk that the invariants read. */
export type ReportDisk = Pick<MemoryDisk, 'settlement_row' | 'settlement_sum'>

/**
 * Each row of a merchant belongs to a settlement, and the sums of a settlement are those of its rows: their number,
 * their amounts and their fees, by kind, type, direction and outcome.
 */
export function checkReportSums({ settlement_row: rows, settlement_sum: sums }: ReportDisk): void {
  const expected = new Map<string, number>()
  for (const stored of rows.values()) {
    const { file_id: file, number, merchant, aggregation_id: id } = stored
    if ((merchant === '') !== (id === null))
      fail(`the row ${number} of ${file} has another settlement than its merchant`)
    if (id === null) continue
    const row = rowIn(stored)
    const key = `${merchant} ${id} ${row.kind} ${row.type} ${row.cashflow} ${row.status} ${row.settlementCurrency}`
    add(expected, `records of ${key}`, 1)
    add(expected, `amount of ${key}`, row.settlementAmountMinor)
    add(expected, `fee of ${key}`, row.feeMinor ?? 0)
  }
  const reported = new Map<string, number>()
  for (const sum of sums.values()) {
    const { merchant, aggregation_id: id, kind, type, cashflow, outcome, currency } = sum
    const key = `${merchant} ${id} ${kind} ${type} ${cashflow} ${outcome} ${currency}`
    add(reported, `records of ${key}`, sum.records)
    add(reported, `amount of ${key}`, sum.amount_minor)
    add(reported, `fee of ${key}`, sum.fee_minor)
  }
  for (const key of new Set([...expected.keys(), ...reported.keys()]))
    if ((expected.get(key) ?? 0) !== (reported.get(key) ?? 0))
      fail(`the rows have ${expected.get(key) ?? 0} as ${key}, and the reports have ${reported.get(key) ?? 0}`)
}

const add = (sums: Map<string, number>, key: string, value: number) => sums.set(key, (sums.get(key) ?? 0) + value)
