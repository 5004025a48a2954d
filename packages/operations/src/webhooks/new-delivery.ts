import type { EventRow, JobRow } from '@tollgate/storage'
import { newJob } from '../records/new-job.ts'

/** The kind of job that delivers an event to a webhook: its queue is the webhook's id, its subject the event's. */
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
 * The place of an event of a tree, by the version that the tree has after the event's unit, so that it follows the
 * order of commits, independent of the processes' clocks.
 *
 * @param change incremented: the unit incremented the version. unchanged: it did not, because it completes an earlier
 * unit; its events come after those of that version, and before those of the next
 */
export const placeAt = (version: number, change: 'incremented' | 'unchanged'): number =>
  2 * version + (change === 'incremented' ? 0 : 1)

/**
 * The place of a replayed event: its time, which is above the place of any version. Replays are ordered by their time.
 */
export const replayPlace = (atMs: number): number => atMs
