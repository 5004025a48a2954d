/** A rate limit by key. */
export interface RateLimit {
  /**
   * @param requestsMax the maximum number of requests of this key in a window
   * @returns 0: admitted and counted; otherwise the milliseconds until the next request is admitted
   */
  take(key: string, requestsMax: number, nowMs: number): number
}

/** The keys of a shopper's attempt; an undefined key is not counted. */
export interface AttemptKeys {
  readonly channel: string
  /** The fingerprint of the card or account. */
  readonly card: string | undefined
  /** The client's IP address; for IPv6, the /64. */
  readonly address: string | undefined
}

/** The maximum number of declined attempts in an hour; Infinity: unlimited. */
export interface DeclineBounds {
  readonly card: number
  readonly address: number
}

/** Limits declined attempts of shoppers per hour and channel, by card and by address, against card testing. */
export interface Declines {
  /**
   * Begins an attempt. While it is in flight, it counts as declined for its card, so that concurrent attempts are also
   * limited; for an address, which many shoppers may share, only actual declines count.
   *
   * @returns the attempt, which the caller must end, or a refusal with the milliseconds to wait before another attempt
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
