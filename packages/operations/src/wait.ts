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
export const wait: Wait = (ms, signal) =>
  signal ? delay(ms, undefined, { signal, ref: false }).catch(() => undefined) : delay(ms)
