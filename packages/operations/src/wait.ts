import { setTimeout } from 'node:timers'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import { limits } from './limits.ts'

/**
 * Waits in real time, which the test clock does not change.
 *
 * @param ms milliseconds; 0: until the event loop has handled what has arrived
 * @param signal ends the wait early
 * @returns a promise that resolves after the time, or when the signal aborts
 */
export type Wait = (ms: number, signal?: AbortSignal) => Promise<unknown>

/** Calls back after a time in milliseconds, unless the timer is ended first. @returns ends the timer */
export type StartTimer = (ms: number, onEnd: () => void) => () => void

/** Calls back after a time in real time. The timer does not keep the process alive. */
export const startTimer: StartTimer = (ms, onEnd) => {
  const timer = setTimeout(onEnd, ms).unref()
  return () => clearTimeout(timer)
}

/** A timer with a signal does not keep the process alive. */
export const wait: Wait = (ms, signal) => (ms === 0 ? nextTurn() : signal ? waitUntil(ms, signal) : delay(ms))

/** Creates no error when the signal aborts, unlike Node's timers. */
const waitUntil = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      endTimer()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const endTimer = startTimer(ms, end)
    signal.addEventListener('abort', end)
  })

/** The waits and the times of an event loop, in milliseconds. */
export interface LoopTimes {
  readonly wait: Wait
  /** A monotonic time. */
  readonly now: () => number
  /** The time for which the event loop has been busy. */
  readonly busyMs: () => number
}

/**
 * Waits between two steps of bulk work beside payments. While the event loop is late, because many payments have
 * arrived together, the wait goes on: otherwise the next step would delay each of them.
 *
 * @returns a wait that is at most `limits.lullWaitMs` longer; a pause below `limits.lullPauseMs` is not prolonged
 */
export const waitForLull =
  ({ wait: waitMs, now }: Pick<LoopTimes, 'wait' | 'now'>): Wait =>
  async (ms, signal) => {
    let pauseMs = ms
    for (let restMs = ms < limits.lullPauseMs ? 0 : limits.lullWaitMs; ; restMs -= pauseMs) {
      const dueMs = now() + pauseMs
      await waitMs(pauseMs, signal)
      if (restMs <= 0 || signal?.aborted || now() - dueMs < limits.loopLateMs) return
      pauseMs = limits.lullPauseMs
    }
  }
