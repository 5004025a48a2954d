import type { JobRow } from '@tollgate/storage'

/** A new job; by default in the only queue of its kind, and in no delivery order. */
export const newJob = (
  job: Pick<JobRow, 'id' | 'merchant' | 'kind' | 'subject_id' | 'due_at_ms' | 'created_at_ms'>,
  queue = '',
  { line, line_place }: Pick<JobRow, 'line' | 'line_place'> = NO_LINE,
): JobRow => ({
  id: job.id,
  merchant: job.merchant,
  kind: job.kind,
  lane: queue,
  subject_id: job.subject_id,
  due_at_ms: job.due_at_ms,
  attempts: 0,
  parked_at_ms: null,
  done_at_ms: null,
  last_error: null,
  held_until_ms: null,
  created_at_ms: job.created_at_ms,
  line,
  line_place,
})

const NO_LINE = { line: null, line_place: null }
