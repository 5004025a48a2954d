/** The time of a client or a server. */
export interface Timers {
  /** A time that never goes back, in milliseconds since any moment. */
  readonly nowMs: () => number
  /** Calls back after a time. @returns ends the timer */
  readonly startTimer: (ms: number, onEnd: () => void) => () => void
}

/** The time of the machine. */
export const systemTimers: Timers = {
  nowMs: () => performance.now(),
  startTimer(ms, onEnd) {
    const timer = setTimeout(onEnd, ms)
    return () => clearTimeout(timer)
  },
}
