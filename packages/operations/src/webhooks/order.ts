import type { JobRow } from '@tollgate/storage'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { jobPostponed } from '../job-transitions.ts'
import { limits } from '../limits.ts'

/**
 * The order in which a webhook gets the events of one payment. The rows of the deliveries contain it (columns `line`
 * and `line_place`), so that it is the same in every process and after a restart: a delivery waits while an earlier one
 * of its payment waits, is in flight, or has failed for at most `limits.orderRetries` retries. Deliveries of other
 * payments do not wait.
 */
export interface Order {
  /** The delivery that this one has to wait for; undefined where it is its turn. */
  before(job: JobRow): Promise<JobRow | undefined>
  /** Postpones the delivery until the one before it has ended. @returns false if it was changed in the meantime */
  putBehind(job: JobRow, first: JobRow): Promise<boolean>
  /** After a delivery ended, or failed: makes the next one of its line due, unless that has to wait for it still. */
  callNext(job: JobRow): Promise<void>
}

/** Keeps deliveries of one payment in their order. */
export function createOrder(context: Pick<Context, 'storage' | 'clock' | 'ids'>): Order {
  const { storage, clock } = context

  const firstOf = async ({ kind, lane, line }: JobRow) =>
    line === null ? undefined : storage.firstInOrder(kind, lane, line, limits.orderRetries)

  async function before(job: JobRow): Promise<JobRow | undefined> {
    const first = await firstOf(job)
    return first && isBefore(first, job) ? first : undefined
  }

  /** @returns the delivery after the change; undefined if it was changed in the meantime */
  async function postpone(job: JobRow, dueAtMs: number): Promise<JobRow | undefined> {
    const postponed = jobPostponed(job, dueAtMs)
    return (await commitChange(context, { compareAndSets: [postponed] })) ? postponed.to : undefined
  }

  return {
    before,
    async putBehind(job, first) {
      const nowMs = clock.now()
      const until = first.due_at_ms > nowMs ? first.due_at_ms : nowMs + limits.orderWaitMs
      const waiting = await postpone(job, until + 1)
      if (!waiting) return false
      // The earlier one may have ended before this one was put off.
      if (!(await before(waiting))) await postpone(waiting, waiting.created_at_ms)
      return true
    },
    async callNext(job) {
      const next = await firstOf(job)
      if (next && next.id !== job.id && isPutOff(next)) await postpone(next, next.created_at_ms)
    },
  }
}

/**
 * Whether it was put off, and no process has it. One that was tried waits for its own retry. The time of its creation
 * is when it was due at first, and gives it its place among all deliveries again. The clock is not read, because that
 * of another process may be ahead.
 */
const isPutOff = ({ attempts, due_at_ms, created_at_ms, held_until_ms }: JobRow): boolean =>
  attempts === 0 && due_at_ms > created_at_ms && held_until_ms === null

const isBefore = (one: JobRow, other: JobRow): boolean => {
  const [place, otherPlace] = [one.line_place ?? 0, other.line_place ?? 0]
  return place < otherPlace || (place === otherPlace && one.id < other.id)
}
