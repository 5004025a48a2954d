import type { Clock, ServiceClock } from '@tollgate/operations'

export const systemClock: Clock = { now: () => Date.now() }

/** A clock that is ahead of a base clock by an offset, which can be increased. */
export interface MovableClock extends ServiceClock {
  /** The offset from the base clock, in milliseconds. */
  offsetMs(): number
  /**
   * Advances the clock to a time; a time in the past changes nothing.
   *
   * @throws RangeError if the time is no whole number: the stored offset could not be read again
   */
  moveTo(atMs: number): void
}

/** @param machine the clock of the machine, if it is not the base; the two may differ for a while */
export function movableClock(base: Clock, initialOffsetMs = 0, machine: Clock = base): MovableClock {
  let offsetMs = initialOffsetMs
  const now = () => base.now() + offsetMs
  return {
    now,
    offsetMs: () => offsetMs,
    machineNow: () => machine.now(),
    moveTo(atMs) {
      if (!Number.isSafeInteger(atMs)) throw new RangeError(`invariant: ${atMs} is no whole number of milliseconds`)
      offsetMs += Math.max(0, atMs - now())
    },
  }
}
