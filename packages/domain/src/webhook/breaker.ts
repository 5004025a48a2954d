import { limits } from '../limits.ts'

/**
 * What is known of an endpoint's health. closed: it takes what it is sent, or has failed a few times; both are counted
 * in a row. open: it is left
 * alone until a time; from then on it is half open, and one delivery at a time finds out whether it is back.
 */
export type Breaker =
  | { readonly kind: 'closed'; readonly failures: number; readonly successes: number }
  | { readonly kind: 'open'; readonly untilMs: number; readonly openings: number }

export const closedBreaker: Breaker = { kind: 'closed', failures: 0, successes: 0 }

/** How many deliveries may begin: all of them, one that finds out, none. */
export function breakerLets(breaker: Breaker, nowMs: number): 'all' | 'one' | 'none' {
  if (breaker.kind === 'closed') return 'all'
  return nowMs < breaker.untilMs ? 'none' : 'one'
}

/**
 * How many deliveries may be under way at once: a few, one more for each that has arrived since the last that failed,
 * and so as many as an endpoint has shown that it takes.
 */
export function deliveriesTogether(breaker: Breaker, nowMs: number): number {
  if (breaker.kind === 'open') return nowMs < breaker.untilMs ? 0 : 1
  return Math.min(limits.deliveriesAtFirst + breaker.successes, limits.deliveriesAtMost)
}

/** After a delivery arrived. */
export function breakerAfterSuccess(breaker: Breaker): Breaker {
  if (breaker.kind === 'open') return closedBreaker
  if (breaker.failures === 0 && breaker.successes >= limits.deliveriesAtMost) return breaker
  return { kind: 'closed', failures: 0, successes: breaker.successes + 1 }
}

/**
 * After a delivery failed. Those that were under way when it opened change nothing any more.
 *
 * @param retryAfterMs how long the endpoint asked to be left alone: then it is, whatever came before
 */
export function breakerAfterFailure(breaker: Breaker, nowMs: number, retryAfterMs: number | undefined): Breaker {
  if (breakerLets(breaker, nowMs) === 'none') return breaker
  const openings = breaker.kind === 'open' ? breaker.openings : 0
  if (retryAfterMs !== undefined) {
    return { kind: 'open', untilMs: nowMs + Math.min(retryAfterMs, limits.breakerMaxMs), openings }
  }
  if (breaker.kind === 'closed' && breaker.failures + 1 < limits.breakerFailures) {
    return { kind: 'closed', failures: breaker.failures + 1, successes: 0 }
  }
  const restMs = Math.min(limits.breakerMs * 2 ** openings, limits.breakerMaxMs)
  return { kind: 'open', untilMs: nowMs + restMs, openings: Math.min(openings + 1, limits.breakerDoublings) }
}
