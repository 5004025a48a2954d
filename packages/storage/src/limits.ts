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
  scanEntries: 2_000,
  /** The same where a server does the looking: two hundredths of a second of its time. */
  scanEntriesElsewhere: 30_000,
  /** New transactions after which the server vacuums them: a second or less of its time. */
  vacuumedRows: 50_000,
  /** Rows that one step reads in the process itself: two thousandths of a second. */
  scanRows: 125,
  /** Transactions under one merchantTransactionId that are looked at, the newest: all of them take ten milliseconds. */
  referenceRows: 1_000,
  /** Rows of a page of a walk through all that is stored: a megabyte or two, and few enough round trips. */
  pageRows: 1_000,
  /** Expired keys that a unit removes with each that it adds: more than one, so that they do not pile up. */
  expiredRemoved: 2,
  /** Bytes that a pack of units begins with, and doubles: sealed numbers and keys of some thirty payments. */
  packBytes: 4096,
  /** Its numbers, of as many payments. */
  packNumbers: 2048,
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
  /** Batches that are on their way to PostgreSQL at a time: while it commits one, it works on the next. */
  postgresBatches: 2,
  /** Connections to PostgreSQL for reads, opened as they are needed. */
  postgresReaders: 8,
  /** How often a process asks what others have changed, besides being told: what it is not told it knows by then. */
  watchMs: 1000,
  /** And how soon again it looks after what others have changed, however much they change. */
  watchPauseMs: 20,
  /** How much longer a lease may last because the server's clock went back: its holder may still be at work. */
  leaseExcessMsMax: 3_600_000,
  /** The longest message from one process to the others: as long as PostgreSQL takes them, less a little. */
  messageBytes: 7900,
  /** How long a connection to PostgreSQL may take to open. */
  connectTimeoutMs: 3000,
  /** How long PostgreSQL works on one statement of ours, and how long of that it waits for a lock. */
  statementTimeoutMs: 8000,
  lockTimeoutMs: 4000,
  /** How long its answer is waited for: longer than it works, so that only a dead network goes without one. */
  answerTimeoutMs: 10_000,
  /** How long a few units wait to share the next commit: longer than one takes, unless it hangs. */
  slowBatchMs: 50,
  /** How long a commit in doubt is looked up for while its server may still work on it, and the pause after that. */
  lookUpMs: 200,
  /** How long units and reads wait while there is no connection at all, and how long a commit that is in doubt. */
  outageMs: 15_000,
  /** Between attempts to connect: at first, doubled each time, and at most. Half of it is chance. */
  reconnectMs: { first: 50, most: 2000 },
  /** How often a batch goes again that lost a race against another process, before its units go one by one. */
  races: 3,
  /** Forms of the batch statement whose parsed text a connection keeps; others are parsed each time. */
  preparedForms: 200,
} as const
