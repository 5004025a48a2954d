import { emptyWindow, enterWindow, noteInWindow, waitForPlaceMs, type Window } from '@tollgate/domain'
import type { RateLimit } from '@tollgate/operations'

/** Counts requests by key. */
export interface Throttle extends RateLimit {
  /** Like `take`, without counting. */
  wait(key: string, places: number, nowMs: number): number
  /** Counts what another process has let in. */
  note(key: string, requests: number, nowMs: number): void
}

/**
 * A throttle in memory: exact for the one process that owns a data file; several processes publish their counts to each
 * other (rate-counter.ts).
 *
 * @param keysMax keys that are kept. The least recent ones are dropped with their counts
 */
export function createThrottle(windowMs: number, keysMax: number): Throttle {
  /**
   * The counts since the last turn and the latest counts before it: keys that are still there at the next turn have
   * none.
   */
  let recent = new Map<string, Window>()
  let older = new Map<string, Window>()
  let turnsAtMs = 0

  function windowOf(key: string, nowMs: number): Window {
    if (nowMs >= turnsAtMs || recent.size >= keysMax / 2) {
      older = recent
      recent = new Map()
      turnsAtMs = nowMs + windowMs
    }
    const known = recent.get(key)
    if (known) return known
    const window = older.get(key) ?? emptyWindow()
    recent.set(key, window)
    return window
  }

  return {
    take: (key, places, nowMs) => enterWindow(windowOf(key, nowMs), places, windowMs, nowMs),
    wait: (key, places, nowMs) => waitForPlaceMs(windowOf(key, nowMs), places, windowMs, nowMs),
    note: (key, requests, nowMs) => noteInWindow(windowOf(key, nowMs), requests, windowMs, nowMs),
  }
}
