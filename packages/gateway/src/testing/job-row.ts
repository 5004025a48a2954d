import type { JobRow } from '@tollgate/storage'

/** The row of a job of kind `one` that is due at 1,000 ms, with changes. */
export const jobRow = (id: string, changes: Partial<JobRow> = {}): JobRow => ({
  id,
  merchant: 'm',
  kind: 'one',
  lane: '',
  subject_id: `about ${id}`,
  due_at_ms: 1_000,
  attempts: 0,
  parked_at_ms: null,
  done_at_ms: null,
  last_error: null,
  held_until_ms: null,
  line: null,
  line_place: null,
  created_at_ms: 0,
  ...changes,
})
