import { type Wait, wait } from '@tollgate/operations'

/** The machine's time and event loop, beside the clock, which may stand still. */
export interface World {
  /** A time that only goes forward, in milliseconds. */
  readonly now: () => number
  /** Runs a function in the next turn of the event loop, after sockets were read. */
  readonly later: (work: () => void) => void
  readonly wait: Wait
}

export const machine: World = {
  now: () => performance.now(),
  later: (work) => void setImmediate(work),
  wait,
}
