import type { JobRow } from '@tollgate/storage'

/** One kind of what is done at its time. */
export interface JobKind {
  /** As its rows, the log and the management API name it. */
  readonly name: string
  /** The lanes that may hold jobs now. Those of one lane never wait for those of another. */
  readonly queues: () => Iterable<string>
  /** How many jobs of a lane may be under way at once; 0 where it is to rest for now. */
  readonly together: (queue: string) => number
  /**
   * Does it, and commits its end in the same unit as what it changes: the job is done, removed, or due again later.
   * What it throws is unforeseen; then it is tried again a few times, and given up at last.
   *
   * @param signal aborted when the process is to end: what has not begun can be left, and comes again
   * @returns what came of it, in a few words for whoever moved the clock
   */
  readonly run: (job: JobRow, signal: AbortSignal) => Promise<string>
}
