/** The state of a paged search. */
export interface SearchPages {
  /** The number of matches, up to a maximum, if they were counted. */
  total: number | undefined
  /** The starts of pages by page number. A page begins below the position of the last match of the previous page. */
  readonly starts: Map<number, string>
}

/**
 * The size of the largest entry that searches of one kind have read. It determines how many entries later searches read
 * at once.
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
  /**
   * Runs `work` on the cached pages of a search; calls for one search run one after another. The pages of the least
   * recently used searches are evicted.
   */
  withPages<T>(search: string, work: (pages: SearchPages) => Promise<T>): Promise<T>
}
