import type { JobRow } from '@tollgate/storage'

/** A job as it was read, and the job after a transition. */
export interface Transition {
  readonly table: 'job'
  readonly from: JobRow
  readonly to: JobRow
}

/** The columns `attempts` and `last_error` after a transition. */
interface Attempts {
  readonly attempts: number
  readonly lastError: string | null
}

const NONE: Attempts = { attempts: 0, lastError: null }

/*
 * The transitions of a job. Each ends the lease, so that any process may lease the job. `attempts` counts the attempts
 * since the last success, or since an operator last retried the job. `last_error` is the error of the last failed
 * attempt since the last success; a retry by an operator keeps it.
 */

/** The job is complete, and its row is removed. */
export const jobDone = (from: JobRow) => ({ table: 'job' as const, from, to: null })

/**
 * The job becomes due at a time, and is no longer dead-lettered.
 *
 * @param attempted the new values of `attempts` and `last_error`; by default 0 and null
 */
export const jobDue = (from: JobRow, atMs: number, { attempts, lastError } = NONE): Transition => ({
  table: 'job',
  from,
  to: { ...from, due_at_ms: atMs, attempts, parked_at_ms: null, last_error: lastError, held_until_ms: null },
})

/**
 * The job becomes due at another time, is no longer dead-lettered, and keeps its last error.
 *
 * @param attempts by default unchanged
 */
export const jobPostponed = (from: JobRow, atMs: number, attempts = from.attempts): Transition =>
  jobDue(from, atMs, { attempts, lastError: from.last_error })

/** The job is kept for an operator. Its due time does not change. */
export const jobDeadLettered = (
  from: JobRow,
  atMs: number,
  lastError: string,
  attempts = from.attempts,
): Transition => ({
  table: 'job',
  from,
  to: { ...from, attempts, parked_at_ms: atMs, last_error: lastError, held_until_ms: null },
})

/** The lease of a job that was not run is released; nothing else of the job changes. */
export const jobReleased = (from: JobRow): Transition => ({
  table: 'job',
  from,
  to: { ...from, held_until_ms: null },
})
