import { all, byId, one } from './declare-read.ts'
import { compareCodeUnits } from './memory/compare-code-units.ts'
import { select } from './memory/select.ts'
import type { DisputeEvidenceRow, DisputeRow } from './schema.ts'

/** The reads of disputes and their evidence. */
export const disputeReads = {
  dispute: byId('dispute'),
  /** The disputes that were opened before a dispute, by its time (epoch milliseconds) and id, at most `max`. */
  disputesBefore: all(
    'dispute',
    'WHERE (created_at_ms, id) < (?, ?) ORDER BY created_at_ms DESC, id DESC LIMIT ?',
    (disk, createdAtMs: number, id: string, max: number) =>
      select(disk.dispute, (row) => isBefore(row, createdAtMs, id), 'created_at_ms')
        .toReversed()
        .slice(0, max),
  ),
  /** The disputes with an answer that is due up to a day, after a dispute, by its day and id, at most `max`. */
  disputesDueAfter: all(
    'dispute',
    'WHERE due_on IS NOT NULL AND due_on <= ? AND (due_on, id) > (?, ?) ORDER BY due_on, id LIMIT ?',
    (disk, toDay: string, dueOn: string, id: string, max: number) =>
      inDueOrder(select(disk.dispute, (row) => isDueAfter(row, toDay, dueOn, id))).slice(0, max),
  ),
  evidenceOf: all('dispute_evidence', 'WHERE dispute_id = ? ORDER BY id', (disk, disputeId: string) =>
    inEvidenceOrder(select(disk.dispute_evidence, (row) => row.dispute_id === disputeId)),
  ),
  /** The evidence of all disputes after a file, by id, at most `max`. */
  evidenceAfter: all('dispute_evidence', 'WHERE id > ? ORDER BY id LIMIT ?', (disk, id: string, max: number) =>
    inEvidenceOrder(select(disk.dispute_evidence, (row) => row.id > id)).slice(0, max),
  ),
  evidencePart: one(
    'dispute_evidence_part',
    'WHERE evidence_id = ? AND number = ?',
    (disk, evidenceId: string, number: number) => disk.dispute_evidence_part.get(`${evidenceId} ${number}`),
  ),
}

const isBefore = (row: DisputeRow, createdAtMs: number, id: string): boolean =>
  row.created_at_ms < createdAtMs || (row.created_at_ms === createdAtMs && row.id < id)

const isDueAfter = ({ due_on: due, id: rowId }: DisputeRow, toDay: string, dueOn: string, id: string): boolean =>
  due !== null && due <= toDay && (due > dueOn || (due === dueOn && rowId > id))

const inDueOrder = (rows: readonly DisputeRow[]): DisputeRow[] =>
  rows.toSorted((a, b) => compareCodeUnits(a.due_on ?? '', b.due_on ?? '') || compareCodeUnits(a.id, b.id))

const inEvidenceOrder = (rows: readonly DisputeEvidenceRow[]): DisputeEvidenceRow[] =>
  rows.toSorted((a, b) => compareCodeUnits(a.id, b.id))
