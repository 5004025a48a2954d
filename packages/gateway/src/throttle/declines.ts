import type { Clock, Declines } from '@tollgate/operations'
import { limits } from '../limits.ts'
import type { RateCounters } from './rate-counters.ts'
import { createThrottle } from './throttle.ts'

/** Counts declined attempts in memory; several processes exchange their counts (rate-counters.ts). */
export function createDeclines(clock: Clock, rateCounters: Pick<RateCounters, 'share'>): Declines {
  const throttle = rateCounters.share('declines', createThrottle(limits.declineWindowMs, limits.throttleKeysMax))
  /** The number of attempts in progress, by card. */
  const inFlight = new Map<string, number>()

  return {
    begin({ channel, card, address }, bounds) {
      const nowMs = clock.now()
      const cardKey = card === undefined ? undefined : `card ${channel} ${card}`
      const addressKey = address === undefined ? undefined : `address ${channel} ${address}`
      const attempts = cardKey === undefined ? 0 : (inFlight.get(cardKey) ?? 0)
      const declinesMax = bounds.card - attempts
      if (declinesMax < 1) return { kind: 'refused', waitMs: limits.declineRetryMs }
      const cardMs = cardKey === undefined ? 0 : throttle.wait(cardKey, declinesMax, nowMs)
      const addressMs = addressKey === undefined ? 0 : throttle.wait(addressKey, bounds.address, nowMs)
      const waitMs = Math.max(cardMs, addressMs)
      if (waitMs > 0) return { kind: 'refused', waitMs }
      if (cardKey !== undefined) inFlight.set(cardKey, attempts + 1)
      let hasEnded = false
      return {
        kind: 'begun',
        end(isDeclined) {
          if (hasEnded) return
          hasEnded = true
          if (cardKey !== undefined) release(cardKey)
          if (!isDeclined) return
          for (const key of [cardKey, addressKey]) if (key !== undefined) throttle.take(key, Infinity, clock.now())
        },
      }
    },
  }

  function release(cardKey: string): void {
    const remaining = (inFlight.get(cardKey) ?? 1) - 1
    if (remaining > 0) inFlight.set(cardKey, remaining)
    else inFlight.delete(cardKey)
  }
}
