/** The source of time of all rules and rows, in epoch milliseconds. */
export interface Clock {
  now(): number
}

/** A clock that may be ahead of the machine's. */
export interface ServiceClock extends Clock {
  /**
   * The machine's time (epoch milliseconds), for timestamps that other systems compare with their own time. It may go
   * back.
   */
  machineNow(): number
}
