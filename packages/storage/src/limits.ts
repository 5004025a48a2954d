/** Bounds and sizes of storage, each with its reason or measurement. */
export const limits = {
  /** Units in one transaction. More would delay each of them and save little of an fsync. */
  batchUnits: 256,
  /**
   * Half of 64 concurrent units, so that two batches alternate: one is committed while the requests of the other are
   * processed. PostgreSQL is sent as many at once as a batch; on SQLite a batch gets no more, unless more units wait.
   */
  readyUnits: 32,
  /** Units without an outcome. The gateway refuses work well below this bound. */
  queueUnits: 10_000,
  /** Rows in one unit, of all tables together. */
  unitRows: 10_000,
  /** Rows of one counter in a read: more than any rule needs, and read within a millisecond. */
  velocityRows: 1_000,
  /** Entries of an index, of all merchants, that one step of a scan reads: one to eight milliseconds. */
  scanEntries: 2_000,
  /** Entries of an index that one step of a scan reads on a PostgreSQL server: 20 ms of its time. */
  scanEntriesOnServer: 30_000,
  /** New transactions after which a PostgreSQL server vacuums the table: at most a second of its time. */
  vacuumedRows: 50_000,
  /** Rows that one step of a scan reads with SQLite, in the process itself: 2 ms. */
  scanRows: 125,
  /** Rows that one step of a scan reads from a PostgreSQL server: a page of the largest size. */
  scanRowsOnServer: 500,
  /** Newest transactions with one merchantTransactionId that a read examines: 10 ms. */
  referenceRows: 1_000,
  /** Rows of a page of a data set: one or two megabytes, and few round trips. */
  pageRows: 1_000,
  /** Expired keys that a unit removes for each key that it adds: more than one, so that they do not accumulate. */
  expiredRemoved: 2,
  /** Initial bytes of a pack of units, doubled as needed: the sealed numbers and keys of some thirty payments. */
  packBytes: 4096,
  /** Initial length of the array of numbers in a pack, doubled as needed: the integers of some thirty payments. */
  packNumbers: 2048,
  /** Bytes of each buffer that rows share in the record codec; a row that may need a quarter has one of its own. */
  recordBytes: 65_536,
  /**
   * Bytes of a SQLite page. Measured with payments of 1.1 kB in batches of 28: with pages of 4 kB, the statements and
   * the commit take 10 % more processor time and the file 2 % more space; pages of 16 kB gain nothing.
   */
  pageBytes: 8192,
  /** Pages in the write-ahead log that trigger a checkpoint: 4 MB. Longer logs only raise the p99 of the latency. */
  checkpointPages: 500,
  /** Time that erased data may remain in the log, so that many erasures share one truncation. */
  eraseDelayMs: 1000,
  /** Page cache of each of the two SQLite connections. */
  cacheBytes: 16 * 1024 * 1024,
  /** Time that a SQLite statement waits for a lock of another program, such as an operator's shell. */
  busyTimeoutMs: 5000,
  /** Batches in flight to PostgreSQL, which executes one batch while it commits the other. */
  postgresBatches: 2,
  /** Connections to PostgreSQL for reads, opened on demand. */
  postgresReaders: 8,
  /** Interval at which a process reads changes of its peers, in case a notification was lost. */
  watchMs: 1000,
  /** Shortest interval between two reads of the changes of peers, however many notifications arrive. */
  watchPauseMs: 20,
  /** Excess of a lease over its full duration from which it is invalid, because the server's clock was set back. */
  leaseExcessMsMax: 3_600_000,
  /** Bytes of a message to peers: just below the limit of PostgreSQL. */
  messageBytes: 7900,
  /** Timeout of opening a connection to PostgreSQL. */
  connectTimeoutMs: 3000,
  /** Timeout of one statement in the server. */
  statementTimeoutMs: 8000,
  /** Timeout of a statement's wait for a lock. */
  lockTimeoutMs: 4000,
  /** Timeout of the answer to a statement: longer than that of the statement, so that only a lost network causes it. */
  answerTimeoutMs: 10_000,
  /** Time after which waiting units are sent beside a batch in flight: longer than a commit takes. */
  slowBatchMs: 50,
  /** Lock timeout of look-ups of a commit in doubt, which the server may still execute, and the pause between them. */
  lookUpMs: 200,
  /** Time that units, reads and commits in doubt wait for a connection. */
  outageMs: 15_000,
  /** Pause between attempts to connect: the minimum, then doubled up to the maximum. Half of it is jitter. */
  reconnectMs: { min: 50, max: 2000 },
  /** Wait for the end of commits in progress, which usually take milliseconds, and the pause between two checks. */
  openCommitsMs: 2000,
  openCommitsPauseMs: 5,
  /** Repetitions of a batch that wrote nothing, because of another process or of a lost connection. */
  batchRetriesMax: 3,
  /** Months after the current one with a partition: enough time to notice that none can be made. */
  monthsAhead: 3,
  /** Months of partitions that are made at once. After a longer jump of the clock one partition takes most of them. */
  monthsAtOnce: 24,
  /** Wait for the statements on the transactions, while later ones wait too. The making of months is tried again. */
  monthLockMs: 1000,
  /** Wait of the archive for a lock, while other statements wait for it too; then it pauses and tries again. */
  archiveLockMs: 200,
  archivePauseMs: 1000,
  archiveAttempts: 60,
  /** Transactions that the archive reads at once: a few milliseconds of the server. */
  archivePageRows: 1000,
  /** Pause after such a page, so that most of the time is left for payments. */
  archivePagePauseMs: 30,
  /** Interval at which a process makes partitions of months: there are months in which to try again. */
  monthsMs: 3_600_000,
  /** Time in which the transactions of an earlier version are partitioned: much longer than it takes. */
  partitioningMs: 7 * 86_400_000,
  /** Variants of the batch statement that are prepared once per connection; further variants are parsed each time. */
  preparedStatements: 200,
} as const
