import type { EventRow, JobRow } from '@tollgate/storage'

/** The kind of job that tells a webhook of an event: its lane is the webhook's id, its subject the event's. */
export const DELIVERY = 'delivery'

export const deliveryJob = (
  { id: subject, merchant }: EventRow,
  webhookId: string,
  { id, atMs }: { readonly id: string; readonly atMs: number },
): JobRow => ({
  id,
  merchant,
  kind: DELIVERY,
  lane: webhookId,
  subject_id: subject,
  due_at_ms: atMs,
  attempts: 0,
  parked_at_ms: null,
  done_at_ms: null,
  last_error: null,
  created_at_ms: atMs,
})
