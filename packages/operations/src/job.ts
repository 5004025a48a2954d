import type { JobRow } from '@tollgate/storage'

/** Outcome of a job whose rows were changed concurrently: it is decided again when it is next due. */
export const CHANGED = 'was changed meanwhile'

/** A kind of job. */
export interface JobKind {
  /** Its name in rows, the log and the management API. */
  readonly name: string
  /** Queues that may contain jobs now; the column is `lane`. Jobs of one queue never wait for those of another. */
  readonly queues: () => Iterable<string>
  /** How many jobs of a queue may run concurrently; 0 pauses it. */
  readonly together: (queue: string) => number
  /**
   * Runs a job and commits its end in the same unit as its changes: the job is removed or due again later. After an
   * error it is retried a few times, then dead-lettered.
   *
   * @param signal aborted when the process stops: work that has not begun is left for the next start
   * @returns the outcome in a few words, for the report of a fast-forward
   */
  readonly run: (job: JobRow, signal: AbortSignal) => Promise<string>
}
