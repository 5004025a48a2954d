import type { EventRow, JobRow } from '@tollgate/storage'
import { newJob } from '../records/new-job.ts'

/** The kind of job that delivers an event to a webhook. The queue is the webhook's id, the subject the event's id. */
export const DELIVERY = 'delivery'

/**
 * The job of a delivery.
 *
 * @param delivery `place`: the position among the webhook's deliveries of the same payment; lower ones are sent first
 */
export const deliveryJob = (
  { id: subject, merchant, root_id: line }: EventRow,
  webhookId: string,
  { id, atMs, place }: { readonly id: string; readonly atMs: number; readonly place: number },
): JobRow => {
  const job = { id, merchant, kind: DELIVERY, subject_id: subject, due_at_ms: atMs, created_at_ms: atMs }
  return newJob(job, webhookId, { line, line_place: place })
}

/**
 * The place of an event of a tree, by the version that the tree has after the event's unit: so the events of a tree are
 * in the order of their commits, independent of the processes' clocks.
 *
 * @param change incremented: the unit incremented the version. unchanged: the unit completes an earlier unit without a
 *   new version; its events follow the events of that version and precede those of the next version
 */
export const placeAt = (version: number, change: 'incremented' | 'unchanged'): number =>
  2 * version + (change === 'incremented' ? 0 : 1)

/**
 * The place of a replayed event: the time of the replay, which is greater than the place of any version.
 */
export const replayPlace = (atMs: number): number => atMs
