import type { Clock } from '../clock.ts'
import { limits } from '../limits.ts'
import type { Tally } from './tally.ts'
import { createThrottle } from './throttle.ts'

/** Keys of a shopper's attempt, each undefined where it has none. */
export interface AttemptKeys {
  readonly channel: string
  /** The fingerprint of the card or account. */
  readonly card: string | undefined
  /** The client's address; of IPv6 its network. */
  readonly address: string | undefined
}

/** How many declined attempts an hour may have; Infinity: no bound. */
export interface DeclineBounds {
  readonly card: number
  readonly address: number
}

/**
 * Counts the declined attempts of shoppers in an hour and channel, by card and by address, so that stolen cards cannot
 * be tried out. In memory; several processes exchange their counts (tally.ts).
 */
export interface Declines {
  /**
   * Begins an attempt. While it is under way its card counts as declined once more, so that many attempts at once are
   * bounded too; an address, which many shoppers may share, counts declines alone.
   *
   * @returns the attempt, to be ended; refused: the milliseconds until another may begin
   */
  begin(
    keys: AttemptKeys,
    bounds: DeclineBounds,
  ): CountedAttempt | { readonly kind: 'refused'; readonly waitMs: number }
}

export interface CountedAttempt {
  readonly kind: 'begun'
  /** Ends the attempt; later calls change nothing. */
  end(isDeclined: boolean): void
}

export function countDeclines(clock: Clock, tally: Pick<Tally, 'share'>): Declines {
  const throttle = tally.share('declines', createThrottle(limits.declineWindowMs, limits.throttleKeysMax))
  /** Attempts under way, by card. */
  const underWay = new Map<string, number>()

  return {
    begin({ channel, card, address }, bounds) {
      const nowMs = clock.now()
      const cardKey = card === undefined ? undefined : `card ${channel} ${card}`
      const addressKey = address === undefined ? undefined : `address ${channel} ${address}`
      const open = cardKey === undefined ? 0 : (underWay.get(cardKey) ?? 0)
      const places = bounds.card - open
      if (places < 1) return { kind: 'refused', waitMs: limits.declineRetryMs }
      const cardMs = cardKey === undefined ? 0 : throttle.wait(cardKey, places, nowMs)
      const addressMs = addressKey === undefined ? 0 : throttle.wait(addressKey, bounds.address, nowMs)
      const waitMs = Math.max(cardMs, addressMs)
      if (waitMs > 0) return { kind: 'refused', waitMs }
      if (cardKey !== undefined) underWay.set(cardKey, open + 1)
      let isOver = false
      return {
        kind: 'begun',
        end(isDeclined) {
          if (isOver) return
          isOver = true
          if (cardKey !== undefined) leave(cardKey)
          if (!isDeclined) return
          for (const key of [cardKey, addressKey]) if (key !== undefined) throttle.take(key, Infinity, clock.now())
        },
      }
    },
  }

  function leave(cardKey: string): void {
    const left = (underWay.get(cardKey) ?? 1) - 1
    if (left > 0) underWay.set(cardKey, left)
    else underWay.delete(cardKey)
  }
}
