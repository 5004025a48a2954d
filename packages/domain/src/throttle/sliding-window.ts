import { limits } from '../limits.ts'

/** Requests that arrived close together, and leave the window together. */
interface Span {
  readonly sinceMs: number
  lastMs: number
  requests: number
}

/** Recently admitted requests: a dozen spans at most, the oldest first, each with a count. */
export interface Window {
  requests: number
  readonly spans: Span[]
}

/** A window without any requests. */
export const emptyWindow = (): Window => ({ requests: 0, spans: [] })

/**
 * Admits and counts a request, if the window is not full.
 *
 * No interval of the window's length contains more than `requestsMax` requests that this function admitted; after an
 * idle window as many may arrive at once. A request stops counting when the last request of its span leaves the window,
 * at most a tenth of the window late: a client with fewer than `requestsMax` requests in 1.1 windows is never refused.
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
  const { spans } = window
  const newest = spans.at(-1)
  if (newest && newest.lastMs - nowMs > windowMs) drop(window, spans.length)
  const atMs = Math.max(nowMs, spans.at(-1)?.lastMs ?? nowMs)

  let ended = 0
  for (const { lastMs } of spans) {
    if (lastMs + windowMs > atMs) break
    ended += 1
  }
  if (ended > 0) drop(window, ended)
  return atMs
}

function add(window: Window, requests: number, windowMs: number, atMs: number): void {
  const span = window.spans.at(-1)
  if (span && atMs - span.sinceMs < windowMs / limits.spansOfWindow) {
    span.lastMs = atMs
    span.requests += requests
  } else {
    window.spans.push({ sinceMs: atMs, lastMs: atMs, requests })
  }
  window.requests += requests
}

/**
 * Time of the last request that must leave before another is admitted. It is in the oldest span, unless the window
 * contains more requests than the limit, because the limit was lowered or other processes admitted requests.
 */
function lastBlockingMs({ requests, spans }: Window, requestsMax: number): number {
  let [remaining, atMs] = [requests, 0]
  for (const span of spans) {
    if (remaining < requestsMax) break
    remaining -= span.requests
    atMs = span.lastMs
  }
  return atMs
}

/** Drops the oldest spans. */
function drop(window: Window, count: number): void {
  for (const { requests } of window.spans.splice(0, count)) window.requests -= requests
}
