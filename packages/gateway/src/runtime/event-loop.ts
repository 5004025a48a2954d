import { type StartTimer, startTimer, type Wait, wait } from '@tollgate/operations'

/** Time and event loop of the machine, independent of the gateway's clock, which tests set by hand. */
export interface EventLoop {
  /** A monotonic time in milliseconds. */
  readonly now: () => number
  /** Runs a function once the current turn of the event loop has read its sockets. */
  readonly later: (work: () => void) => void
  readonly wait: Wait
  readonly startTimer: StartTimer
}

export const nodeEventLoop: EventLoop = {
  now: () => performance.now(),
  later: (work) => void setImmediate(work),
  wait,
  startTimer,
}
