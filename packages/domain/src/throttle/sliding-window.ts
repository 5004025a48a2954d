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
 * Admits and counts a request, if the window has a free place.
 *
 * No interval of the window's length contains more than `places` requests; after an idle window that many may arrive at
 * once. A place becomes free when the last request of its span leaves the window, at most a tenth of the window late: a
 * client with fewer than `places` requests in 1.1 windows is never refused.
 *
 * @param places requests per window, at least one
 * @param nowMs does not go back within a window; a larger step back is a corrected clock
 * @returns 0: admitted; otherwise the milliseconds until a place is free
 */
export function enterWindow(window: Window, places: number, windowMs: number, nowMs: number): number {
  const atMs = dropExpired(window, windowMs, nowMs)
  if (window.requests >= places) return lastBlockingMs(window, places) + windowMs - nowMs
  add(window, 1, windowMs, atMs)
  return 0
}

/**
 * The wait for a free place, without counting a request.
 *
 * @returns 0: a place is free; otherwise the milliseconds until one is
 */
export function windowWaitMs(window: Window, places: number, windowMs: number, nowMs: number): number {
  dropExpired(window, windowMs, nowMs)
  return window.requests < places ? 0 : lastBlockingMs(window, places) + windowMs - nowMs
}

/** Counts requests that another process admitted, at the current time, even beyond the places. */
export function countInWindow(window: Window, requests: number, windowMs: number, nowMs: number): void {
  add(window, requests, windowMs, dropExpired(window, windowMs, nowMs))
}

/** @returns the effective current time: that of the newest request if the clock went back a little */
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

/** Time of the last request that must leave before a place is free; of a later span if the limit was lowered. */
function lastBlockingMs({ requests, spans }: Window, places: number): number {
  let [left, atMs] = [requests, 0]
  for (const span of spans) {
    if (left < places) break
    left -= span.requests
    atMs = span.lastMs
  }
  return atMs
}

/** Drops the oldest spans. */
function drop(window: Window, count: number): void {
  for (const { requests } of window.spans.splice(0, count)) window.requests -= requests
}
