import { limits } from '../limits.ts'

/** Requests that arrived close together, and leave the window together. */
interface Bucket {
  readonly sinceMs: number
  lastMs: number
  requests: number
}

/** Recently admitted requests: a dozen buckets at most, the oldest first, each with a count. */
export interface Window {
  requests: number
  readonly buckets: Bucket[]
}

/** A window without any requests. */
export const emptyWindow = (): Window => ({ requests: 0, buckets: [] })

/**
 * Admits and counts a request, if the window is not full.
 *
 * No interval of the window's length contains more than `requestsMax` requests that this function admitted; after an
 * idle window as many may arrive at once. A request stops counting when the last request of its bucket leaves the
 * window, at most a tenth of the window late: a client with fewer than `requestsMax` requests in 1.1 windows is never
 * refused.
 *
 * @param requestsMax requests per window, at least one
 * @param nowMs a step back by more than the window means that the clock was corrected, and empties the window
 * @returns 0: admitted; otherwise the milliseconds until a request can be admitted
 */
export function enterWindow(window: Window, requestsMax: number, windowMs: number, nowMs: number): number {
  const atMs = dropExpired(window, windowMs, nowMs)
  if (window.requests >= requestsMax) return lastBlockingMs(window, requestsMax) + windowMs - nowMs
  add(window, 1, windowMs, atMs)
  return 0
}

/**
 * The wait until a request can be admitted, without counting a request.
 *
 * @returns 0: the window is not full; otherwise the milliseconds until a request can be admitted
 */
export function windowWaitMs(window: Window, requestsMax: number, windowMs: number, nowMs: number): number {
  dropExpired(window, windowMs, nowMs)
  return window.requests < requestsMax ? 0 : lastBlockingMs(window, requestsMax) + windowMs - nowMs
}

/** Counts requests that another process admitted, at the current time, even beyond the limit. */
export function countInWindow(window: Window, requests: number, windowMs: number, nowMs: number): void {
  add(window, requests, windowMs, dropExpired(window, windowMs, nowMs))
}

/** @returns the effective current time: that of the newest request if the clock was set back by at most a window */
function dropExpired(window: Window, windowMs: number, nowMs: number): number {
  const { buckets } = window
  const newest = buckets.at(-1)
  if (newest && newest.lastMs - nowMs > windowMs) drop(window, buckets.length)
  const atMs = Math.max(nowMs, buckets.at(-1)?.lastMs ?? nowMs)

  let ended = 0
  for (const { lastMs } of buckets) {
    if (lastMs + windowMs > atMs) break
    ended += 1
  }
  if (ended > 0) drop(window, ended)
  return atMs
}

function add(window: Window, requests: number, windowMs: number, atMs: number): void {
  const bucket = window.buckets.at(-1)
  if (bucket && atMs - bucket.sinceMs < windowMs / limits.bucketsPerWindow) {
    bucket.lastMs = atMs
    bucket.requests += requests
  } else {
    window.buckets.push({ sinceMs: atMs, lastMs: atMs, requests })
  }
  window.requests += requests
}

/**
 * Time of the last request that must leave before another is admitted. It is in the oldest bucket, unless the window
 * contains more requests than the limit, because the limit was lowered or other processes admitted requests.
 */
function lastBlockingMs({ requests, buckets }: Window, requestsMax: number): number {
  let [remaining, atMs] = [requests, 0]
  for (const bucket of buckets) {
    if (remaining < requestsMax) break
    remaining -= bucket.requests
    atMs = bucket.lastMs
  }
  return atMs
}

/** Drops the oldest buckets. */
function drop(window: Window, count: number): void {
  for (const { requests } of window.buckets.splice(0, count)) window.requests -= requests
}
