import type { VelocityRow } from '@tollgate/storage'

/** Counts of payments over time, for risk rules. */
export interface Velocity {
  /**
   * Adds a payment to its counter.
   *
   * @param sinceMs the start of the period, epoch milliseconds
   * @returns the earlier payments in the period: stored ones, and those in flight in this process, so that concurrent
   *   payments count each other
   */
  add(entry: VelocityRow, sinceMs: number): Promise<readonly VelocityRow[]>
  /** Removes the entries of a payment that is decided again or was never stored. */
  remove(entries: readonly VelocityRow[]): void
}
