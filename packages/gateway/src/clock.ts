/** The one source of time, in epoch milliseconds. Everything that asks what time it is asks this. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
