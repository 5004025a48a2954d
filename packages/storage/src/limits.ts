/** Bounds and sizes of storage, each with the measure or the reason that set it. */
export const limits = {
  /** Units in one transaction. More would lengthen the wait of each without saving much of an fsync. */
  batchUnits: 256,
  /** Units that are worth a commit without waiting for more: half of 64 under way, so that two batches alternate. */
  readyUnits: 32,
  /** Units waiting or under way. The gateway refuses work well below it; this is the last stop. */
  queueUnits: 10_000,
  /** Rows in one unit, of all tables together. */
  unitRows: 10_000,
  /** Rows that one counter is read for: more than any rule of use counts, and read within a millisecond. */
  velocityRows: 1_000,
  /** Entries of an index that one step of a walk looks at, whomever they belong to: one to eight milliseconds. */
  walkEntries: 2_000,
  /** Transactions under one merchantTransactionId that are looked at, the newest: a page of them takes ten ms. */
  referenceRows: 5_000,
  /** Expired keys that a unit removes with each that it adds: more than one, so that they do not pile up. */
  expiredRemoved: 2,
  /** Bytes that a pack of units begins with, and doubles: sealed numbers and keys of some thirty payments. */
  packBytes: 4096,
  /** Bytes of a page. A transaction's row is 1 to 2 kB: fewer page splits than with 4 kB, 15 % less space. */
  pageBytes: 8192,
  /** Pages in the write-ahead log that make the writer copy them home: 4 MB. Longer logs only raise the p99. */
  checkpointPages: 500,
  /** How long what was erased may stay in the log: an emptied log grows anew, so that many erasures share one. */
  eraseDelayMs: 1000,
  /** Memory for pages, of each of the two connections. */
  cacheBytes: 16 * 1024 * 1024,
  /** How long a statement waits for a foreign lock, such as that of an operator's shell. */
  busyTimeoutMs: 5000,
} as const
