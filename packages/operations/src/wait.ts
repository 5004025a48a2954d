import { setTimeout as elapsed } from 'node:timers/promises'

/**
 * Lets time pass: the machine's, which goes on where the gateway's clock stands still.
 *
 * @param ms milliseconds
 * @param signal what ends it early; without one nothing does
 * @returns a promise that resolves then, or as soon as the signal aborts
 */
export type Wait = (ms: number, signal?: AbortSignal) => Promise<unknown>

/** By a timer that keeps no process alive, unless nothing ends it early. */
export const wait: Wait = (ms, signal) =>
  signal ? elapsed(ms, undefined, { signal, ref: false }).catch(() => undefined) : elapsed(ms)
