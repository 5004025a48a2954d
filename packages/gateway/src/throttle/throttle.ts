import { emptyWindow, enterWindow, noteInWindow, waitForPlaceMs, type Window } from '@tollgate/domain'
import type { RateLimit } from '@tollgate/operations'

/** Counts what comes under each key. */
export interface Throttle extends RateLimit {
  /** As `take`, but nothing is counted. */
  wait(key: string, places: number, nowMs: number): number
  /** Counts what another process has let in. */
  note(key: string, requests: number, nowMs: number): void
}

/**
 * A throttle in memory: exact for the one process that owns a data file; of several processes each learns from the
 * others what they have let in (tally.ts).
 *
 * @param keysMax keys that are kept. Those that came longest ago go first, and with them what they are counted by
 */
export function createThrottle(windowMs: number, keysMax: number): Throttle {
  /** What came since the last turn, and what came last before it: who is still in there at the next has no count. */
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
