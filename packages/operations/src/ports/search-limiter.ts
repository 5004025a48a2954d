/** The state of a paged search. */
export interface SearchPages {
  /** How many transactions there are in all, where that was counted. */
  total: number | undefined
  /** Where pages begin, by their number: below the last of the page before. */
  readonly starts: Map<number, string>
}

/** The largest entry that searches of one kind have found; it bounds how many entries further searches read at once. */
export interface EntrySizes {
  /** How many entries to read at once. */
  together(): number
  /** @param chars of an entry's text */
  note(chars: number): void
}

/** Bounds concurrent searches, which read much: they run in steps, and payments are served between two steps. */
export interface SearchLimiter {
  /**
   * Does `work` for a merchant, unless too many searches are in flight.
   *
   * @returns undefined: it was not done
   */
  run<T>(merchant: string, work: () => Promise<T>): Promise<T | undefined>
  /** One step of a search. However many searches are in flight, a turn of the event loop does one step. */
  step<T>(read: () => Promise<T>): Promise<T>
  /** The entry sizes of the searches that have this key. */
  sizesOf(key: string): EntrySizes
  /** Does `work` on the pages of a search, one call after the other. The least recently used searches are evicted. */
  paging<T>(search: string, work: (pages: SearchPages) => Promise<T>): Promise<T>
}
