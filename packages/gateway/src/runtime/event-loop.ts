import { type Wait, wait } from '@tollgate/operations'

/** What the gateway asks of the machine beside its clock, which may stand still: time that passes, and turns. */
export interface World {
  /** A time that only goes forward, in milliseconds. */
  readonly now: () => number
  /** Does something once what has arrived meanwhile has been read: in the next turn of the event loop. */
  readonly later: (work: () => void) => void
  readonly wait: Wait
}

export const machine: World = {
  now: () => performance.now(),
  later: (work) => void setImmediate(work),
  wait,
}
