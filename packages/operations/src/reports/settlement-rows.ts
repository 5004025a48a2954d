import type { SettlementRowRow, Storage } from '@tollgate/storage'
import type { RecordPlace } from '../parameters/report.ts'
import { limits } from '../limits.ts'
import type { RunStep } from './aggregations.ts'

/** The rows of a settlement that a report contains, and their order. */
export interface RowSearch {
  /** The id of the aggregation. */
  readonly id: string
  readonly recordType: string | undefined
  readonly isDescending: boolean
  /** The place after which the rows begin; undefined: all rows. */
  readonly after: RecordPlace | undefined
}

/** The rows of a settlement in the order of their transactions, page by page. */
export async function* rowPages(
  storage: Pick<Storage, 'aggregationRowsAfter' | 'aggregationRowsBefore'>,
  { id, recordType = ANY_KIND, isDescending, after }: RowSearch,
  step: RunStep,
): AsyncGenerator<readonly SettlementRowRow[]> {
  const max = limits.recordsPerPage
  for (let place = after ?? (isDescending ? LAST : FIRST); ; ) {
    const { atMs, fileId, number } = place
    const rows = await step(() =>
      isDescending
        ? storage.aggregationRowsBefore(id, recordType, atMs, fileId, number, max)
        : storage.aggregationRowsAfter(id, recordType, atMs, fileId, number, max),
    )
    yield rows
    const last = rows.at(-1)
    if (!last || rows.length < max) return
    place = placeOf(last)
  }
}

export const placeOf = ({ presented_at_ms: atMs, file_id: fileId, number }: SettlementRowRow): RecordPlace => ({
  atMs: atMs ?? 0,
  fileId,
  number,
})

const ANY_KIND = '%'
const FIRST: RecordPlace = { atMs: -1, fileId: '', number: 0 }
const LAST: RecordPlace = { atMs: Number.MAX_SAFE_INTEGER, fileId: '', number: 0 }
