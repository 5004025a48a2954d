import type { EventRow, JobRow } from '@tollgate/storage'
import { newJob } from '../jobs/new-job.ts'

/** The kind of job that tells a webhook of an event: its lane is the webhook's id, its subject the event's. */
export const DELIVERY = 'delivery'

export const deliveryJob = (
  { id: subject, merchant }: EventRow,
  webhookId: string,
  { id, atMs }: { readonly id: string; readonly atMs: number },
): JobRow =>
  newJob({ id, merchant, kind: DELIVERY, subject_id: subject, due_at_ms: atMs, created_at_ms: atMs }, webhookId)
