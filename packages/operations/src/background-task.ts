/** A periodic task, done in sweeps of steps that are short enough to run between two payments. */
export interface BackgroundTask {
  /** The name in the log, and part of the name of the lock. */
  readonly name: string
  /** Time from the end of a sweep to the beginning of the next, by the gateway's clock. */
  readonly everyMs: number
  /**
   * Pause between two steps of a sweep: the longer, the more time is left for payments. It is prolonged while the event
   * loop is late (`waitForLull`).
   */
  readonly pauseMs: number
  /**
   * Does a bounded part of a sweep. Its changes are durable before it resolves, so that another process may repeat the
   * sweep of a killed process from the beginning.
   */
  step(): Promise<'more' | 'done'>
}
