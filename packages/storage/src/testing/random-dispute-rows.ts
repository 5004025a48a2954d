import * as fc from 'fast-check'
import { id, rowsOf } from './random-values.ts'
import { dispute, disputeEvidence, disputeEvidencePart } from './sample-rows.ts'

/** Disputes and files with few ids, days and times, so that compare-and-sets often succeed. */
const dueDay = fc.option(fc.constantFrom('d0', 'd1', 'd2'))
const part = fc.nat(1).map((number) => disputeEvidencePart(number))

/** Changes of disputes, and changes and removals of their files. */
export const disputeChanges = [
  fc.tuple(id, dueDay, dueDay).map(([rowId, from, to]) => ({
    table: 'dispute' as const,
    from: dispute(rowId, { due_on: from, created_at_ms: 1 }),
    to: dispute(rowId, { due_on: to, created_at_ms: 1 }),
  })),
  fc.tuple(id, id, fc.option(fc.nat(1))).map(([disputeId, rowId, to]) => ({
    table: 'dispute_evidence' as const,
    from: disputeEvidence(rowId, { dispute_id: disputeId }),
    to: to === null ? null : disputeEvidence(rowId, { dispute_id: disputeId, sent_at_ms: to }),
  })),
  part.map((from) => ({ table: 'dispute_evidence_part' as const, from, to: null })),
]

/** New rows of disputes, by table. */
export const disputeRows = {
  dispute: rowsOf(
    fc
      .tuple(id, dueDay, fc.nat(1))
      .map(([rowId, dueOn, atMs]) => dispute(rowId, { due_on: dueOn, created_at_ms: atMs })),
  ),
  dispute_evidence: rowsOf(
    fc.tuple(id, id).map(([disputeId, rowId]) => disputeEvidence(rowId, { dispute_id: disputeId })),
  ),
  dispute_evidence_part: rowsOf(part),
}
