import type { JobRow, VisitRow } from '@tollgate/storage'
import { limits } from '../limits.ts'
import { newJob } from './new-job.ts'

/** The kind of job that follows a shopper who was sent elsewhere: its subject is a visit. */
export const FOLLOW_VISIT = 'follow-visit'

/** The timer of a visit, which is one as long as the visit is. */
export const visitTimer = ({ id, merchant, created_at_ms: createdAtMs }: VisitRow): JobRow =>
  newJob({
    id,
    merchant,
    kind: FOLLOW_VISIT,
    subject_id: id,
    due_at_ms: createdAtMs + limits.visitAskedAfterMs[0],
    created_at_ms: createdAtMs,
  })
