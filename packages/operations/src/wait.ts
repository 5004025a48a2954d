import { setTimeout as elapsed } from 'node:timers/promises'

/**
 * Waits by the machine's time, which runs on while the test clock stands still.
 *
 * @param ms milliseconds
 * @param signal ends the wait early
 * @returns a promise that resolves then, or as soon as the signal aborts
 */
export type Wait = (ms: number, signal?: AbortSignal) => Promise<unknown>

/** A timer with a signal keeps no process alive. */
export const wait: Wait = (ms, signal) =>
  signal ? elapsed(ms, undefined, { signal, ref: false }).catch(() => undefined) : elapsed(ms)
