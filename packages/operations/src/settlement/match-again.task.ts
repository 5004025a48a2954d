import { InvariantError } from '@tollgate/contract'
import { dayAt } from '@tollgate/domain'
import type { SettlementRowRow } from '@tollgate/storage'
import type { BackgroundTask } from '../background-task.ts'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { movementsOf, standingChargeback } from '../records/dispute-record.ts'
import { limits } from '../limits.ts'
import { derivedRows } from './derived-rows.ts'
import { isHeld, waitsForChargeback } from './held-chargebacks.ts'
import { matchingVersion, nextVersion } from './matching-version.ts'
import { settledRows } from './settled-rows.ts'
import { rowIn, withRow } from './stored-row.ts'

type Dependencies = Pick<Context, 'storage' | 'acquirers' | 'directory' | 'clock' | 'ids'>

/**
 * Matches the open rows of the last weeks again: a file may arrive before its transactions are in the ledger, or before
 * another row of an ambiguous match is settled. The merchant of a fee may become known with its transaction, too.
 */
export function matchAgain(dependencies: Dependencies): BackgroundTask {
  const { storage, clock } = dependencies
  /** The last row that this sweep has matched again. */
  let last: Pick<SettlementRowRow, 'settled_on' | 'file_id' | 'number'> | undefined
  /** Attempts of the present step that have failed because other rows were matched, or these changed. */
  let conflicts = 0
  return {
    name: 'open settlement rows',
    everyMs: limits.matchAgainEveryMs,
    pauseMs: limits.settlementPauseMs,
    async step() {
      const from = dayAt(clock.now() - limits.matchAgainForMs)
      const { settled_on: day, file_id: file, number } = last ?? { settled_on: from, file_id: '', number: 0 }
      const [open, fees] = await Promise.all([
        storage.openSettlementRowsAfter(day, file, number, limits.settlementRowsPerStep),
        storage.unownedFeesAfter(day, file, number, limits.settlementRowsPerStep),
      ])
      const rows = [...open, ...fees].toSorted(compareRows).slice(0, limits.settlementRowsPerStep)
      const isStored = await matchRowsAgain(dependencies, rows)
      conflicts = isStored ? 0 : conflicts + 1
      if (!isStored && conflicts < limits.matchAttempts) return 'more'
      last = rows.at(-1)
      return last ? 'more' : 'done'
    },
  }
}

/** The order in which rows are read. */
const compareRows = (a: SettlementRowRow, b: SettlementRowRow): number =>
  compareTexts(a.settled_on, b.settled_on) || compareTexts(a.file_id, b.file_id) || a.number - b.number

/** Days and ids are ASCII. */
const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

/** @returns false if other rows were matched meanwhile, or one of these was changed */
async function matchRowsAgain(dependencies: Dependencies, rows: readonly SettlementRowRow[]): Promise<boolean> {
  for (const fileId of new Set(rows.map((row) => row.file_id))) {
    const ofFile = rows.filter((row) => row.file_id === fileId)
    const file = await dependencies.storage.settlementFile(fileId)
    if (!file) throw new InvariantError(`the settlement file ${fileId} of stored rows is not stored`)
    const version = await matchingVersion(dependencies)
    const { rows: matched, transactions } = await settledRows(
      dependencies,
      file,
      ofFile.map((row) => ({ number: row.number, row: rowIn(row), booking: row.booking })),
    )
    const changes: { readonly from: SettlementRowRow; readonly to: SettlementRowRow }[] = []
    for (const [index, to] of matched.entries()) {
      const from = ofFile[index]
      if (from && !isSame(from, to) && (await canBeRecorded(dependencies, from, to)))
        changes.push({ from, to: hasSameRecord(from, to) ? delivered(to, from) : to })
    }
    if (changes.length === 0) continue
    const next = nextVersion(version)
    const isStored = await commitChange(dependencies, {
      compareAndSets: [
        ...changes.map((change) => ({ table: 'settlement_row' as const, ...change })),
        ...next.compareAndSets,
      ],
      rows: { ...(await derivedRows(dependencies, changes, transactions)), ...next.rows },
    })
    if (!isStored) return false
  }
  return true
}

/** Whether a row was never held back, or waited for a chargeback that was recorded meanwhile. */
async function canBeRecorded({ storage }: Dependencies, from: SettlementRowRow, to: SettlementRowRow) {
  if (!isHeld(from)) return true
  const id = to.transaction_id
  const tree = id !== null && waitsForChargeback(from) ? await storage.treeOf(id) : undefined
  return tree !== undefined && id !== null && standingChargeback(movementsOf(tree, id)) !== undefined
}

/** Whether a row has the same match and owner. Rows stored before rows had entries of the ledger get theirs. */
const isSame = (from: SettlementRowRow, to: SettlementRowRow): boolean =>
  from.acquirer !== null && from.reason === to.reason && hasSameRecord(from, to)

/** Whether the record of a row in reconciliation files stays the same: it does not show the reason. */
const hasSameRecord = (from: SettlementRowRow, to: SettlementRowRow): boolean =>
  from.merchant === to.merchant && from.status === to.status && from.candidates === to.candidates

/** A row that is in the delivered file that had it before. */
const delivered = (row: SettlementRowRow, { delivery_id }: SettlementRowRow): SettlementRowRow =>
  withRow({ ...row, delivery_id }, rowIn(row))
