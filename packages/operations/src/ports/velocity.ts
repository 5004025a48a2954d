import type { VelocityRow } from '@tollgate/storage'

/** Payments counted over time, for risk rules. */
export interface Velocity {
  /**
   * Adds a payment to its counter.
   *
   * @param sinceMs how far back, epoch milliseconds
   * @returns the payments before it: those on disk and, because concurrent payments must see each other, those in
   *   flight in this process
   */
  add(entry: VelocityRow, sinceMs: number): Promise<readonly VelocityRow[]>
  /** Removes the entries of a payment that is decided again or was never stored. */
  remove(entries: readonly VelocityRow[]): void
}
