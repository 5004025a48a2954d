import type { VelocityRow } from '@tollgate/storage'

/** Velocity counters of risk rules: of payments, of payouts and of standalone checks. */
export interface Velocity {
  /**
   * Adds an entry to its counter.
   *
   * @param sinceMs the start of the period, epoch milliseconds
   * @returns the earlier entries in the period: stored ones, and those in flight in this process, so that concurrent
   *   requests count each other
   */
  add(entry: VelocityRow, sinceMs: number): Promise<readonly VelocityRow[]>
  /** Removes the entries of a request that is decided again or was never stored. */
  remove(entries: readonly VelocityRow[]): void
}
