import type { JobRow } from '@tollgate/storage'

/** The outcome of a job whose rows were changed concurrently: if the job still exists, it runs again when next due. */
export const CHANGED = 'changed concurrently'

/** A kind of job. */
export interface JobKind {
  /** The name in rows, the log and the management API. */
  readonly name: string
  /** Queues that may contain jobs now (column `lane`). Jobs of one queue never wait for jobs of another. */
  readonly queues: () => Iterable<string>
  /** How many jobs of a queue may run concurrently; 0 pauses it. */
  readonly concurrency: (queue: string) => number
  /** false: a fast-forward of the clock does not run the jobs. They run after it, when they are due. */
  readonly isFastForwarded?: false
  /**
   * Runs a job and commits its transition: the job is done, due again later, or dead-lettered. After an exception the
   * job is run again a few times, then dead-lettered.
   *
   * @param signal aborted when the process stops: work that has not begun is left for the next start
   * @returns a short description of the outcome, for the report of a fast-forward
   */
  readonly run: (job: JobRow, signal: AbortSignal) => Promise<string>
}
