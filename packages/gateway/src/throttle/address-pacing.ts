import { limits } from '../limits.ts'
import { networkOf } from './failed-logins.ts'

/**
 * Paces requests without credentials by the client's address: a burst at once, then a fixed rate.
 *
 * @param weight the number of requests that this one counts as
 * @returns the milliseconds to wait, 0 for none. Above `limits.addressWaitMsMax` the request must be refused, and is
 *   not counted
 */
export type AddressPacing = (address: string | undefined, weight?: number) => number

const INTERVAL_MS = 1000 / limits.addressRequestsPerSecond

/** @param now a monotonic time, in milliseconds */
export function createAddressPacing(now: () => number): AddressPacing {
  /** The time at which each address has its full burst again if it sends nothing more; oldest first. */
  const idleAtMs = new Map<string, number>()
  return (address, weight = 1) => {
    const key = networkOf(address ?? '')
    const nowMs = now()
    const idleMs = Math.max(nowMs, idleAtMs.get(key) ?? 0)
    const waitMs = Math.max(0, idleMs - nowMs - (limits.addressBurst - weight) * INTERVAL_MS)
    // A refused request does not delay those that follow.
    if (waitMs > limits.addressWaitMsMax) return waitMs
    idleAtMs.delete(key)
    idleAtMs.set(key, idleMs + weight * INTERVAL_MS)
    for (const [oldest, atMs] of idleAtMs) {
      if (atMs > nowMs && idleAtMs.size <= limits.throttleKeysMax) break
      idleAtMs.delete(oldest)
    }
    return waitMs
  }
}
