/** The one source of time, in epoch milliseconds. Everything that asks what time it is asks this. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** A clock that goes as another one does, and can be put forward beyond it. */
export interface MovableClock extends Clock {
  /** How far it is ahead of the other one, in milliseconds. */
  ahead(): number
  /** The time of the other one, which receivers of requests share: epoch milliseconds. */
  machineNow(): number
  /** Puts it forward; a moment that has passed already changes nothing, for time never goes back. */
  moveTo(atMs: number): void
}

export function movableClock(base: Clock, aheadMs = 0): MovableClock {
  let ahead = aheadMs
  const now = () => base.now() + ahead
  return {
    now,
    ahead: () => ahead,
    machineNow: () => base.now(),
    moveTo: (atMs) => void (ahead += Math.max(0, atMs - now())),
  }
}
