import { setTimeout as startTimer } from 'node:timers'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * Waits in real time, which the test clock does not change.
 *
 * @param ms milliseconds
 * @param signal ends the wait early
 * @returns a promise that resolves after the time, or when the signal aborts
 */
export type Wait = (ms: number, signal?: AbortSignal) => Promise<unknown>

/** A timer with a signal does not keep the process alive. */
export const wait: Wait = (ms, signal) => (signal ? waitUntil(ms, signal) : delay(ms))

/** Creates no error when the signal aborts, unlike Node's timers: every request to an acquirer ends such a wait. */
const waitUntil = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = startTimer(end, ms).unref()
    signal.addEventListener('abort', end)
  })
