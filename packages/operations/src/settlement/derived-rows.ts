import type { TransactionRow, Unit } from '@tollgate/storage'
import type { Context } from '../context.ts'
import { type RowChange, settledEntries } from './settled-entries.ts'
import { sumChanges } from './settlement-sums.ts'

/**
 * The rows of other tables that follow from changes of rows, for the unit that changes the rows: entries of the ledger
 * and sums of reports.
 *
 * @param known transactions that the caller has read
 */
export const derivedRows = async (
  dependencies: Pick<Context, 'storage' | 'acquirers' | 'clock' | 'ids'>,
  changes: readonly RowChange[],
  known: ReadonlyMap<string, TransactionRow>,
): Promise<Pick<Unit['rows'], 'posting' | 'ledger_day' | 'settlement_sum'>> => ({
  ...(await settledEntries(dependencies, changes, known)),
  settlement_sum: sumChanges(changes),
})
