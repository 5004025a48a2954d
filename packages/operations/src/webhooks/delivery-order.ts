import type { JobRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { jobPostponed } from '../job-transitions.ts'
import { limits } from '../limits.ts'

/**
 * The order in which a webhook receives the events of one payment. The rows of the deliveries contain the order
 * (columns `line` and `line_place`), so that it is the same in every process and after a restart: a delivery waits
 * while an earlier delivery of its payment waits or is in flight, until the earlier one has had more than
 * `limits.deliveryOrderRetries` failed attempts. Deliveries of other payments do not wait.
 */
export interface DeliveryOrder {
  /** The earlier delivery that blocks a delivery; undefined if the delivery may be sent. */
  blockerOf(job: JobRow): Promise<JobRow | undefined>
  /**
   * Postpones a delivery until its blocker is due; or, if the blocker is due already, for longer than an attempt of the
   * blocker may last.
   *
   * @returns false if the delivery was changed in the meantime
   */
  postponeBehind(job: JobRow, blocker: JobRow): Promise<boolean>
  /**
   * Makes the next delivery of the same payment due after a delivery has ended or failed, unless the failed delivery
   * still blocks it.
   */
  releaseNext(job: JobRow): Promise<void>
}

export function createDeliveryOrder(context: Pick<Context, 'storage' | 'clock' | 'ids'>): DeliveryOrder {
  const { storage, clock } = context

  const firstInOrderOf = async ({ kind, lane, line }: JobRow) =>
    line === null ? undefined : storage.firstInOrder(kind, lane, line, limits.deliveryOrderRetries)

  async function blockerOf(job: JobRow): Promise<JobRow | undefined> {
    const blocker = await firstInOrderOf(job)
    return blocker && isBefore(blocker, job) ? blocker : undefined
  }

  /** @returns the delivery after the change; undefined if it was changed in the meantime */
  async function postpone(job: JobRow, dueAtMs: number): Promise<JobRow | undefined> {
    const postponed = jobPostponed(job, dueAtMs)
    return (await commitChange(context, { compareAndSets: [postponed] })) ? postponed.to : undefined
  }

  return {
    blockerOf,
    async postponeBehind(job, blocker) {
      const nowMs = clock.now()
      const untilMs = blocker.due_at_ms > nowMs ? blocker.due_at_ms : nowMs + limits.deliveryOrderWaitMs
      const waiting = await postpone(job, untilMs + 1)
      if (!waiting) return false
      // The blocker may have ended before the delivery was postponed.
      if (!(await blockerOf(waiting))) await postpone(waiting, waiting.created_at_ms)
      return true
    },
    async releaseNext(job) {
      const next = await firstInOrderOf(job)
      if (next && next.id !== job.id && isPostponed(next)) await postpone(next, next.created_at_ms)
    },
  }
}

/**
 * Whether a delivery was postponed and is not leased. A delivery that was attempted is due at its own retry. The time
 * of creation is the original due time: a reset to that time restores the position among all deliveries. The clock is
 * not read, because the clock of another process may be ahead.
 */
const isPostponed = ({ attempts, due_at_ms, created_at_ms, held_until_ms }: JobRow): boolean =>
  attempts === 0 && due_at_ms > created_at_ms && held_until_ms === null

const isBefore = (one: JobRow, other: JobRow): boolean => {
  const [place, otherPlace] = [one.line_place ?? 0, other.line_place ?? 0]
  return place < otherPlace || (place === otherPlace && one.id < other.id)
}
