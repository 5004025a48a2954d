import type { Clock, ServiceClock } from '@tollgate/operations'

export const systemClock: Clock = { now: () => Date.now() }

/** A clock that is ahead of a base clock by an offset, which can be increased. */
export interface MovableClock extends ServiceClock {
  /** The offset from the base clock, in milliseconds. */
  ahead(): number
  /**
   * Advances the clock to a time; a time in the past changes nothing.
   *
   * @throws RangeError if the time is no whole number: once stored, it would prevent every later start
   */
  moveTo(atMs: number): void
}

/** @param machine the clock of the machine, if it is not the base; the two may differ for a while */
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
