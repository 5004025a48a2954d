import { emptyWindow, enterWindow, countInWindow, windowWaitMs, type Window } from '@tollgate/domain'
import type { RateLimit } from '@tollgate/operations'

/** Counts requests by key. */
export interface Throttle extends RateLimit {
  /** Like `take`, without counting. */
  wait(key: string, requestsMax: number, nowMs: number): number
  /** Counts requests that another process has admitted. */
  record(key: string, requests: number, nowMs: number): void
}

/**
 * An in-memory throttle. The counts of a single process are complete; several processes publish their counts to each
 * other (rate-counters.ts).
 *
 * @param keysMax maximum number of keys. The least recent ones are dropped with their counts
 */
export function createThrottle(windowMs: number, keysMax: number): Throttle {
  /**
   * `recent` contains the windows of the keys used since the last rotation, `older` those of the keys last used before
   * it. A rotation drops `older`. It happens a window after the previous rotation, when the counts in `older` have
   * expired, or earlier if there are too many keys.
   */
  let recent = new Map<string, Window>()
  let older = new Map<string, Window>()
  let rotatesAtMs = 0

  function windowOf(key: string, nowMs: number): Window {
    if (nowMs >= rotatesAtMs || recent.size >= keysMax / 2) {
      older = recent
      recent = new Map()
      rotatesAtMs = nowMs + windowMs
    }
    const current = recent.get(key)
    if (current) return current
    const window = older.get(key) ?? emptyWindow()
    recent.set(key, window)
    return window
  }

  return {
    take: (key, requestsMax, nowMs) => enterWindow(windowOf(key, nowMs), requestsMax, windowMs, nowMs),
    wait: (key, requestsMax, nowMs) => windowWaitMs(windowOf(key, nowMs), requestsMax, windowMs, nowMs),
    record: (key, requests, nowMs) => countInWindow(windowOf(key, nowMs), requests, windowMs, nowMs),
  }
}
