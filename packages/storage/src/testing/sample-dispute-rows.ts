import type { DisputeEvidencePartRow, DisputeEvidenceRow, DisputeRow } from '../schema.ts'

// Complete rows of disputes for tests, like those of sample-rows.ts.

const merchant = '70119a7e5eed000000000000000000e0'
const channel = '70119a7e5eed00000000000000000c00'

/** A chargeback that waits for its answer. */
export const dispute = (id: string, changes: Partial<DisputeRow> = {}): DisputeRow => ({
  id,
  merchant,
  channel,
  stage: 'chargeback',
  reason: '10.4',
  received_on: '2026-01-02',
  due_on: '2026-02-01',
  warned_at_ms: null,
  history: '[]',
  version: 1,
  created_at_ms: 1_767_225_600_000,
  changed_at_ms: 1_767_225_600_000,
  ...changes,
})

export const disputeEvidence = (id: string, changes: Partial<DisputeEvidenceRow> = {}): DisputeEvidenceRow => ({
  id,
  dispute_id: 'p1',
  kind: 'receipt',
  name: 'receipt.pdf',
  content_type: 'application/pdf',
  size_bytes: 2,
  digest: 'd1',
  parts: 1,
  wrapped_key: Uint8Array.of(1),
  key_id: 'kek-1',
  stored: 1,
  sent_at_ms: null,
  created_at_ms: 1_767_225_600_000,
  ...changes,
})

export const disputeEvidencePart = (
  number: number,
  changes: Partial<DisputeEvidencePartRow> = {},
): DisputeEvidencePartRow => ({
  evidence_id: 'x1',
  number,
  bytes: Uint8Array.of(1, 2),
  ...changes,
})
