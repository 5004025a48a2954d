import { type LoopTimes, type StartTimer, startTimer, wait } from '@tollgate/operations'

/** Time and event loop of the machine, independent of the gateway's clock, which tests set by hand. */
export interface EventLoop extends LoopTimes {
  /** Runs a function once the current turn of the event loop has read its sockets. */
  readonly later: (work: () => void) => void
  readonly startTimer: StartTimer
}

export const nodeEventLoop: EventLoop = {
  now: () => performance.now(),
  busyMs: () => performance.eventLoopUtilization().active,
  later: (work) => void setImmediate(work),
  wait,
  startTimer,
}
