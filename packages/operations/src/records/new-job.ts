import type { JobRow } from '@tollgate/storage'

/** A new job; by default in the only queue of its kind, and in no delivery order. */
export const newJob = (
  about: Pick<JobRow, 'id' | 'merchant' | 'kind' | 'subject_id' | 'due_at_ms' | 'created_at_ms'>,
  queue = '',
  { line, line_place }: Pick<JobRow, 'line' | 'line_place'> = NO_LINE,
): JobRow => ({
  id: about.id,
  merchant: about.merchant,
  kind: about.kind,
  lane: queue,
  subject_id: about.subject_id,
  due_at_ms: about.due_at_ms,
  attempts: 0,
  parked_at_ms: null,
  done_at_ms: null,
  last_error: null,
  held_until_ms: null,
  created_at_ms: about.created_at_ms,
  line,
  line_place,
})

const NO_LINE = { line: null, line_place: null }
