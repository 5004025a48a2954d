import type { JobRow } from '@tollgate/storage'

/** A job that was never tried; in the one lane of its kind, unless it is given another. */
export const newJob = (
  about: Pick<JobRow, 'id' | 'merchant' | 'kind' | 'subject_id' | 'due_at_ms' | 'created_at_ms'>,
  lane = '',
): JobRow => ({
  id: about.id,
  merchant: about.merchant,
  kind: about.kind,
  lane,
  subject_id: about.subject_id,
  due_at_ms: about.due_at_ms,
  attempts: 0,
  parked_at_ms: null,
  done_at_ms: null,
  last_error: null,
  held_until_ms: null,
  created_at_ms: about.created_at_ms,
})
