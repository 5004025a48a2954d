/** The one source of time, in epoch milliseconds. */
export interface Clock {
  now(): number
}

/** A clock that may be ahead of the machine's. */
export interface ServiceClock extends Clock {
  /** The machine's time, which receivers of requests share and which may go back: epoch milliseconds. */
  machineNow(): number
}
