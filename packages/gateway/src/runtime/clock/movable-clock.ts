import type { Clock, ServiceClock } from '@tollgate/operations'

export const systemClock: Clock = { now: () => Date.now() }

/** A clock that goes as another one does, and can be put forward beyond it. */
export interface MovableClock extends ServiceClock {
  /** How far it is ahead of the other one, in milliseconds. */
  ahead(): number
  /**
   * Sets the clock forward; a moment in the past changes nothing.
   *
   * @throws RangeError if the moment is no whole number: stored, it would prevent every later start
   */
  moveTo(atMs: number): void
}

/** @param machine where it is not the base, which may differ from it for a while */
export function movableClock(base: Clock, aheadMs = 0, machine: Clock = base): MovableClock {
  let ahead = aheadMs
  const now = () => base.now() + ahead
  return {
    now,
    ahead: () => ahead,
    machineNow: () => machine.now(),
    moveTo(atMs) {
      if (!Number.isSafeInteger(atMs)) throw new RangeError(`invariant: the clock is moved to ${atMs}`)
      ahead += Math.max(0, atMs - now())
    },
  }
}
