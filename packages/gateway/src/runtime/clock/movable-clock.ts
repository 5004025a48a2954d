import type { Clock, ServiceClock } from '@tollgate/operations'

export const systemClock: Clock = { now: () => Date.now() }

/** A clock that is ahead of a base clock by an offset, which can be increased. */
export interface MovableClock extends ServiceClock {
  /** The offset from the base clock, in milliseconds. */
  offsetMs(): number
  /**
   * Advances the clock to a time; a time in the past changes nothing.
   *
   * @throws RangeError if the time is no whole number, because the stored offset could then not be read
   */
  moveTo(atMs: number): void
}

/** @param machine the clock of the machine, if `base` may differ from it, as a `forwardClock` does after a step back */
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
