/** The state of a paged search. */
export interface SearchPages {
  /** The total number of transactions, if it was counted. */
  total: number | undefined
  /** The start of each page by its number: the last entry of the previous page. */
  readonly starts: Map<number, string>
}

/**
 * The largest entry that searches of one kind have found. It determines how many entries further searches read at once.
 */
export interface EntrySizes {
  /** The number of entries to read at once. */
  batchSize(): number
  /** @param chars the length of an entry's text */
  record(chars: number): void
}

/** Bounds concurrent searches, which read many rows: they run in steps, and payments are served between two steps. */
export interface SearchLimiter {
  /**
   * Runs `work` for a merchant, unless too many searches are in flight.
   *
   * @returns undefined: `work` was not run
   */
  run<T>(merchant: string, work: () => Promise<T>): Promise<T | undefined>
  /** Runs one step of a search. All searches together run at most one step in a turn of the event loop. */
  step<T>(read: () => Promise<T>): Promise<T>
  /** The entry sizes of searches with this key. */
  sizesOf(key: string): EntrySizes
  /** Runs `work` on the pages of a search, one call after the other. The least recently used searches are evicted. */
  withPages<T>(search: string, work: (pages: SearchPages) => Promise<T>): Promise<T>
}
