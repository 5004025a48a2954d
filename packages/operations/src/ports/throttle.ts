/** A rate limit with a count under each key. */
export interface RateLimit {
  /**
   * @param places how many a window of this key takes
   * @returns 0: admitted and counted; otherwise the milliseconds until a place is free
   */
  take(key: string, places: number, nowMs: number): number
}

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

/** Declined attempts of shoppers in an hour and channel, by card and by address, so that cards cannot be tested. */
export interface Declines {
  /**
   * Begins an attempt. While it is in flight its card counts as declined once more, so that many concurrent attempts
   * are bounded too; an address, which many shoppers may share, counts declines alone.
   *
   * @returns the attempt, to be ended; refused: the milliseconds until another may begin
   */
  begin(
    keys: AttemptKeys,
    bounds: DeclineBounds,
  ): ShopperAttempt | { readonly kind: 'refused'; readonly waitMs: number }
}

export interface ShopperAttempt {
  readonly kind: 'begun'
  /** Ends the attempt; later calls have no effect. */
  end(isDeclined: boolean): void
}
