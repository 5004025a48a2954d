import { limits } from '../limits.ts'

/**
 * Circuit breaker of an endpoint. closed: deliveries are sent; consecutive successes and failures are counted. open: no
 * deliveries are sent until `untilMs`; then, half open, one probing delivery at a time. `doublings` is the number of
 * openings without a Retry-After since the last success, up to a maximum: each of them doubles the next pause.
 */
export type Breaker =
  | { readonly kind: 'closed'; readonly failures: number; readonly successes: number }
  | { readonly kind: 'open'; readonly untilMs: number; readonly doublings: number }

export const closedBreaker: Breaker = { kind: 'closed', failures: 0, successes: 0 }

/** The deliveries that may start: all, one probe, or none. */
export function breakerAllows(breaker: Breaker, nowMs: number): 'all' | 'one' | 'none' {
  if (breaker.kind === 'closed') return 'all'
  return nowMs < breaker.untilMs ? 'none' : 'one'
}

/**
 * The maximum of concurrent deliveries to an endpoint: a few, and one more for each success since the last failure;
 * while the breaker is open none, then one probe.
 */
export function concurrentDeliveries(breaker: Breaker, nowMs: number): number {
  if (breaker.kind === 'open') return nowMs < breaker.untilMs ? 0 : 1
  return Math.min(limits.concurrentDeliveriesInitial + breaker.successes, limits.concurrentDeliveriesMax)
}

/** The breaker after a successful delivery. */
export function breakerAfterSuccess(breaker: Breaker): Breaker {
  if (breaker.kind === 'open') return closedBreaker
  if (breaker.failures === 0 && breaker.successes >= limits.concurrentDeliveriesMax) return breaker
  return { kind: 'closed', failures: 0, successes: breaker.successes + 1 }
}

/**
 * The breaker after a failed delivery. A failure before `untilMs` of an open breaker does not count, because the
 * delivery started before the breaker opened.
 *
 * @param retryAfterMs Retry-After of the endpoint, which opens the breaker at the first failure
 */
export function breakerAfterFailure(breaker: Breaker, nowMs: number, retryAfterMs: number | undefined): Breaker {
  if (breakerAllows(breaker, nowMs) === 'none') return breaker
  const doublings = breaker.kind === 'open' ? breaker.doublings : 0
  if (retryAfterMs !== undefined) {
    return { kind: 'open', untilMs: nowMs + Math.min(retryAfterMs, limits.breakerMaxMs), doublings }
  }
  if (breaker.kind === 'closed' && breaker.failures + 1 < limits.breakerFailures) {
    return { kind: 'closed', failures: breaker.failures + 1, successes: 0 }
  }
  const pauseMs = Math.min(limits.breakerMs * 2 ** doublings, limits.breakerMaxMs)
  return { kind: 'open', untilMs: nowMs + pauseMs, doublings: Math.min(doublings + 1, limits.breakerDoublings) }
}
