import { DAY_MS, DAY_SECONDS, HOUR_MS, MINUTE_MS } from '@tollgate/contract'

/** The bounds of operations and their jobs. */
export const limits = {
  /** Maximum of the setting of requests per minute: the capacity of a hundred processes. */
  requestsPerMinuteMax: 100_000_000,
  /** Maximum of each setting of declined attempts: on one checkout, and in an hour of one card and of one address. */
  declinesMax: 100_000,
  /** Memory of one streamed answer: a piece, and the rows of the next one. */
  streamedBytes: 512 * 1024,
  /** Period in which an Idempotency-Key replays its answer: longer than retries take, even across a weekend. */
  idempotencyKeyMs: 7 * DAY_MS,

  /** Routes and targets of a decision that are stored with its payment: enough to explain it. */
  passedRoutesKept: 20,

  /** Accounts in one step of the retention sweep: half a millisecond of the event loop. */
  retentionAccountsPerStep: 20,
  /** Open messages to acquirers that are read at once: some milliseconds. There are more only in a long outage. */
  openMessagesRead: 1_000,
  /** Open messages that a sweep reads, with 10 MB of ids of accounts. Above them no number is erased until the next. */
  openMessagesMax: 100_000,
  /** Period of the added messages that is read again: commits after their ids, and the difference of clocks. */
  openMessagesOverlapMs: 10 * MINUTE_MS,
  /** Pause between two steps: a sweep takes a hundredth of the event loop, and an hour for a million accounts. */
  retentionPauseMs: 50,
  /** Pause between two sweeps: retention is counted in days. */
  retentionEveryMs: DAY_MS,
  /** Maximum of the setting of retention: ten years. */
  retentionDaysMax: 3_650,
  /** Velocity entries, checkouts and sessions (each) that one step erases: a few milliseconds of the writer. */
  oldRowsErasedPerStep: 500,

  /**
   * Age of the transactions that the ledger reads: a payment is usually decided before. Those that are decided later
   * cost a row each.
   */
  feedLagMs: 5_000,
  /** Time after which the progress of the ledger is stored although there are no transactions. */
  feedIdleMs: 10 * MINUTE_MS,
  /**
   * Transactions that one step posts to the ledger: two milliseconds of the writer, for which payments wait; and while
   * there are no payments, so that they share a commit.
   */
  feedRowsPerStep: 50,
  feedRowsPerIdleStep: 500,
  /** Messages to acquirers that are read at once, more than one transaction can have. */
  feedAttemptsRead: 1_000,
  /**
   * Units of requests in a second from which bulk work leaves more time for payments, and the times of a count before
   * and after that. The second one has several units on average.
   */
  busyUnitsPerSecond: 100,
  busyWindowMs: 10,
  busyEndWindowMs: 100,
  /** Bounds of the factor of a pause, of an event loop that is busy for a fifth and for eight ninths of the time. */
  pauseFactor: { min: 0.25, max: 8 },
  /** Lateness of a timer from which bulk work waits, the pauses of this wait, and their sum at most. */
  loopLateMs: 4,
  lullPauseMs: 10,
  lullWaitMs: 200,
  /** Pause between two sweeps of the ledger: entries are a few seconds old. */
  ledgerEveryMs: 2_000,
  /** Pause between two steps while there are no payments. */
  ledgerPauseMs: 1,
  /** Pause for each posted transaction while there are payments: a hundred times the time that it takes. */
  ledgerBusyPauseMs: 3,
  /** Age of transactions from which the pause is shorter: ten times the time that they take. */
  ledgerBehindMs: 15 * MINUTE_MS,
  ledgerBehindPauseMs: 0.3,
  /**
   * Time after the end of a business day from which it is cleared. Transactions that are decided later, and those that
   * the clock of another process dates earlier, belong to a later day.
   */
  clearingDelayMs: HOUR_MS,
  /** Pause between two sweeps of the clearing. */
  clearingEveryMs: MINUTE_MS,
  /** Pause between two comparisons of a day. If the totals differ after the last one, an operator has to find why. */
  clearingRetryMs: [MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS],
  clearingAttemptsMax: 12,
  /** Wait after a clearing file was written, before the totals of its day are compared. */
  clearingFileDelayMs: 15 * MINUTE_MS,
  /** Entries of a merchant that are read at once for a clearing file. */
  clearingEntriesPerRead: 500,
  /** Batches of an acquirer that a sweep examines. */
  clearingBatchesRead: 40,
  /** Bytes of a settlement file. */
  settlementFileBytesMax: 256 * 1024 * 1024,
  settlementFileNameCharsMax: 255,
  /** Bytes of a stored part of a file. */
  settlementPartBytes: 65_536,
  settlementPartsPerUnit: 8,
  /** Rows that one step stores and matches: some two milliseconds; and while there are no payments. */
  settlementRowsPerStep: 25,
  settlementRowsPerIdleStep: 500,
  /** Rows of a file that are kept in memory from its check until they are stored: a few megabytes. */
  settlementRowsKept: 5_000,
  /** Different rows of a booking of a bank whose repetitions are counted while its file is read: some 20 MB. */
  bookingRowsCounted: 100_000,
  /** Age from which an upload without a file is one that broke off: no transfer takes so long. */
  brokenUploadAgeMs: DAY_MS,
  /** Quarantined statements of a bank account that are compared with an accepted one: more than those of a year. */
  statementsWaitingMax: 400,
  /** Transactions with one reference that are examined for a row, and the entries of a period. */
  settlementHitsMax: 50,
  settlementDayEntriesMax: 20_000,
  /** Transactions of days with the same account and amount whose terminals are compared: a megabyte of messages. */
  settlementTerminalsMax: 1_000,
  /** Attempts of a match while other rows are matched at the same time. */
  matchAttempts: 5,
  /** Pause between two matches of open rows, and the time after settlement in which they are matched again. */
  matchAgainEveryMs: HOUR_MS,
  matchAgainForMs: 35 * DAY_MS,
  /** Chargebacks that one step records. */
  chargebacksPerStep: 20,
  /** Records of a page of a reconciliation file: a millisecond; and while there are no payments. */
  recordsPerPage: 50,
  recordsPerIdlePage: 500,
  /** Rows of such a page that are written in one turn of the event loop, and the usual maximum of a line's bytes. */
  recordsAtOnce: 25,
  recordLineBytes: 1_000,
  /** Pause between two such pages while the event loop is busy for half of the time. */
  recordsBusyPauseMs: 80,
  /** Valid keys of the SFTP server of a merchant and of the installation, and revoked keys that are kept. */
  sftpKeysPerMerchant: 10,
  sftpKeysMax: 1_000,
  revokedSftpKeysPerMerchant: 10,
  /** Time after which the next login with a key is stored as its last use. */
  sftpLastUseMs: 60_000,
  /** Pause between two searches for received files. */
  settlementEveryMs: 500,
  /** Pause between two steps of matching rows again, of explaining bank entries and of recording chargebacks. */
  settlementPauseMs: 1,
  /** Pause between two steps of reading a file beside payments, while the event loop is busy for half of the time. */
  settlementBusyPauseMs: 150,
  /** Texts of the settings of an SFTP account: lengths of paths and names that servers accept, and host keys. */
  sftpUserCharsMax: 128,
  sftpFolderCharsMax: 512,
  sftpPatternCharsMax: 128,
  sftpHostKeyCharsMax: 2_048,
  sftpHostKeysMax: 10,
  /** Characters of a password or a private key (an RSA key of 8192 bits has 6,500), with its passphrase. */
  sftpCredentialCharsMax: 12_000,
  /** Rows of a delivered file. Further ones are in the next file. */
  deliveredRowsMax: 1_000_000,
  /** Days of a delivered settlement report: rows of a settlement may arrive for weeks. */
  deliveredReportDays: 31,
  /** Settlements of a delivered report, which is made in memory: 10 MB. */
  deliveredReportRowsMax: 50_000,
  /** Rows of a part of a delivered file, which one unit stores. */
  deliveredRowsPerPart: 500,
  /** Merchants without rows that one step of a delivery passes: a read each. */
  deliveredMerchantsPerStep: 50,
  /** Deliveries whose content is made at the same time. */
  deliveriesComposed: 20,
  /** Pause between two sweeps of the deliveries, and between two of their steps. */
  deliveriesEveryMs: 30_000,
  deliveriesPauseMs: 2,
  /** Concurrent transfers of one process: each sends blocks of 32 kB as fast as its server takes them. */
  transfersConcurrent: 8,
  /**
   * Time of one attempt at a delivery, or of one poll of a source: a slow link takes 250 MB in it. A delivery that is
   * cut off is resumed.
   */
  transferMs: HOUR_MS,
  /** Time of a test of an SFTP account, for which its caller waits. */
  sftpTestMs: 60_000,
  /** Renewals of the lease of a transfer's job: a third of the lease. */
  transferLeaseRenewMs: 30_000,
  /** Period in which a delivered file can be delivered again; then its content is removed. */
  deliveredKeptMs: 30 * DAY_MS,
  /** Pause between two removals of the content of delivered files, and the deliveries that a step examines. */
  deliveredEraseEveryMs: HOUR_MS,
  deliveredErasedPerStep: 10,
  /** Parts that one unit removes. */
  deliveredPartsPerUnit: 100,
  /** Pause between two polls of a source of settlement files: up to a day. */
  sftpPullMinutesMax: 1_440,
  /** Sources that one process polls at the same time. */
  pullsConcurrent: 4,
  /** Files of a source that one poll takes. Further ones are taken by the next poll. */
  pulledFilesMax: 1_000,
  /** Time for which a file must not have changed before it is taken. */
  pullStableMs: 30_000,
  /** Disputes of a page of a list, of which each reads a payment, and those that one step examines. */
  disputesPerPage: 100,
  disputesPerStep: 20,
  /** Events of a dispute after which it is not opened again by an inquiry. Chargebacks have the bound of a tree. */
  disputeEventsMax: 200,
  /** Pause between two searches for disputes whose answer is due: periods are counted in days. */
  disputesEveryMs: 15 * MINUTE_MS,
  /** Days before the last day of an answer from which a dispute is reported. */
  disputeWarningDays: 7,
  /** Evidence: bytes of a file, the most that the vault seals; files and bytes of a dispute. */
  evidenceBytesMax: 10 * 1024 * 1024,
  evidenceFilesMax: 20,
  evidenceTotalBytesMax: 50 * 1024 * 1024,
  evidenceNameCharsMax: 255,
  /** Tries to add a file, whose dispute is changed by other uploads at the same moment. */
  evidenceTriesMax: 20,
  /** Bytes of a stored part: a few milliseconds of the writer. */
  evidencePartBytes: 256 * 1024,
  /** Files that one step of the retention examines. */
  evidencePerStep: 20,
  /** Time after which an upload that is not complete was broken off. */
  evidenceUploadMsMax: HOUR_MS,
  /** Retention of evidence after the end of its dispute: the longest period in which a transaction can be disputed. */
  evidenceRetentionMs: 540 * DAY_MS,
  /** Fees of a plan, and prices of a fee: more than any tariff has. */
  feesMax: 100,
  feeTiersMax: 20,
  /** Fee plans of one entity, each from a time on: a new tariff each month for eight years. */
  feePlansMax: 100,
  /** Terms of one entity, each from a time on, and the currencies with a minimum. */
  merchantTermsMax: 100,
  payoutMinimumsMax: 50,
  /** Characters of the holder of an account: those of a name in ISO 20022. */
  accountHolderCharsMax: 70,
  /** Pause between two searches for days whose value date has come, and between two merchants. */
  accountsEveryMs: 10_000,
  accountsPauseMs: 1,
  /** Unmatched bank entries that one step explains again. */
  bankEntriesPerStep: 20,
  /** Tries to change the account of a merchant while other processes change it. */
  accountTriesMax: 10,
  /** Tries to store a fee plan while the feed of transactions moves on. */
  feePlanTriesMax: 10,
  /** Rows of sums of settlements that a report reads at once: some milliseconds of the event loop. */
  settlementSumsPerRead: 500,
  /** Records of a settlement that one answer of /reports/v1 contains: more than most merchants have in a day. */
  reportRecordsMax: 10_000,
  /** "paged by 100" (interop). */
  reportPageItems: 100,
  /** Items of a snapshot: a thousand pages, which take 15 MB. */
  reportSnapshotItemsMax: 100_000,
  /** Pages of a snapshot that one commit adds or erases: a megabyte. */
  reportPagesPerCommit: 50,
  /** Retention of a snapshot: time to read all of its pages. */
  reportSnapshotMs: HOUR_MS,
  /** The time in which a first page that is requested again has the same snapshot, unless a sum has changed. */
  reportSnapshotReuseMs: MINUTE_MS,
  /** Days of one report: a year, and the month before and after it. */
  reportDaysMax: 400,
  /** Days of daily sums of a merchant that a report reads at once: usually some thousand rows. */
  reportDaysPerRead: 31,
  /** Entries of the ledger that a report reads at once: some milliseconds of the event loop. */
  reportEntriesPerRead: 500,

  /** Stack frames in a log line: V8 captures ten. */
  stackFramesMax: 10,
  /** Tries to decide and commit a command while other requests change the same data. */
  commandTriesMax: 5,
  /** Tries to commit an acquirer's response while other requests change the payment. */
  responseTriesMax: 5,
  /** Reads of a cached table while this process changes it. */
  cacheReloadTriesMax: 5,
  /** Reads of a plan and its timer until both belong to the same state. */
  planReadTriesMax: 5,
  /**
   * Tries to commit a delivery attempt while an operator or another process changes the delivery. After a clock has
   * jumped beyond the lease, other processes lease and release the delivery several times a second.
   */
  attemptTriesMax: 25,
  /** Tries to change a webhook that other processes change concurrently. */
  webhookChangeTriesMax: 5,
  /** Tries to erase an account that other requests change concurrently. */
  accountErasureTriesMax: 5,
  /** Tries to cancel an authentication while results of the issuer change the session concurrently. */
  cancellationTriesMax: 5,
  /** Digits of an invalid card number, below which its first six and last four would reveal too much of it. */
  shownDigitsMin: 13,
  /** Characters of an account number, below which its last four would be more than half of it. */
  shownCharactersMin: 8,
  /** Random bytes that are read from the operating system at once: about 800 ids. */
  randomPoolBytes: 8_192,

  /** Time between the warning and the expiry of an authorisation (domain: a day). */
  authorisationWarningMs: DAY_MS,
  /** Concurrent reversals of expired authorisations: the remaining capacity of the acquirer is for payments. */
  expiryReversalsConcurrent: 4,
  /** Concurrent runs of plans: most are due in the same second, and must not delay payments of shoppers. */
  planRunsConcurrent: 16,
  /** Plans of a registration, including ended ones: its end reads all of them, and a list shows them. */
  plansOfRegistrationMax: 100,
  /** Plans of one chain of changes: a subscription that changes every month for four years. */
  plansOfChainMax: 50,
  /** Characters of a plan's parameters, which are usually a few hundred. A cart of 1,000 items is a mistake. */
  planCharsMax: 16 * 1024,
  /** Timeout of a request to an acquirer: issuers or their stand-ins answer earlier. */
  acquirerTimeoutMs: 25_000,
  /** Timeout of a reversal. */
  reversalTimeoutMs: 5_000,
  /** Age at which the job reverses an authorisation request: twice the timeouts of request and reversal. */
  timeoutReversalAfterMs: MINUTE_MS,
  /** Waits before a timeout reversal is sent again; the last wait repeats. */
  timeoutReversalWaitsMs: [10_000, 30_000, 60_000, 300_000],
  /** Age at which a timeout reversal is dead-lettered: a week. */
  timeoutReversalDeadLetterMs: 7 * DAY_MS,
  /**
   * Rejections in a row after which a message of a timeout reversal is dead-lettered: a message that was damaged on its
   * way is not rejected again.
   */
  rejectedMessagesMax: 3,
  /** Concurrent timeout reversals, so that a recovering acquirer is not flooded. */
  timeoutReversalsConcurrent: 16,
  /** Tries to store the decline of a card while other processes store declines of the same card. */
  cardDeclineTriesMax: 5,
  /** Bits of the filter of declined cards: 4 MB, in which three million cards cause one needless read in a hundred. */
  declinedCardBits: 2 ** 25,
  /** Interval at which a process reads the declines that others have stored: the shortest advised wait is an hour. */
  declinedCardsEveryMs: 10_000,
  /** Period that each such read repeats: commits that became visible late, and the difference of clocks. */
  declinedCardsOverlapMs: 30_000,
  /** Interval at which the filter is made anew, without the cards whose declines have expired. */
  declinedCardsRebuildMs: DAY_MS,
  /** Declined cards that are read at once: a few milliseconds. */
  declinedCardsPerRead: 1_000,
  /** Lease of a terminal id: the time for which its numbers stay unused after the end of a process. */
  terminalLeaseMs: 60_000,
  /** Time after the end of a lease until another process takes the terminal id: the difference of their clocks. */
  terminalTakeOverMs: 30_000,
  /** Trace numbers that are reserved at once: some seconds of payments, so that a commit for them is rare. */
  traceBlock: 1_000,
  /** Trace numbers of a terminal id that another process leases: follow-ups and reversals of its payments are rare. */
  furtherTraceBlock: 20,
  /** Blocks that are reserved for one message, if other messages use up the numbers meanwhile. */
  traceTriesMax: 3,

  /** Time in which delivery attempts are collected for one commit: shorter than a delivery across a network. */
  deliveryAttemptBatchMs: 2,
  /** Initialisation vectors that are read from the operating system at once: 6 kB. */
  initialisationVectorsPerRead: 512,
  /** Concurrent calls to notificationUrls in each of sixteen queues, and concurrent safety calls. */
  notificationsConcurrent: 4,
  /** Stored characters of a webhook's response: an error message, but not a page. */
  webhookResponseChars: 1_000,
  /**
   * Bytes of a delivered body. A payment with 1,000 cart items and usual texts is a form of 1 MB. Its answer is not
   * longer than the form, and its encryption has twice the length, because it is sent as hexadecimal digits.
   */
  deliveryBodyBytesMax: 2 * 1024 * 1024,
  /** Delay of a delivery behind an earlier delivery of its payment: longer than a delivery may last. */
  deliveryOrderWaitMs: 35_000,
  /** Retries of a delivery for which later deliveries of its payment wait: seven minutes. */
  deliveryOrderRetries: 3,
  /** Valid keys of one webhook: the current key, an untested key, and previous keys until the end of their overlap. */
  webhookKeysMax: 4,
  /**
   * Deliveries of a deleted webhook that are dead-lettered in one commit: a quarter of a millisecond of the event loop.
   */
  deadLetteredDeliveriesPerCommit: 250,
  /** Commits of a webhook's deletion: a million deliveries. Further deliveries are dead-lettered when due. */
  webhookDeletionCommitsMax: 4_000,
  /** Events of one replay: a second of the event loop at most. */
  replayEventsMax: 1_000,
  /** Retention of events, completed deliveries and their attempts: a delivery may take 30 days. */
  eventRetentionMs: 35 * DAY_MS,
  /** Events or deliveries that are erased in one step. */
  eventsErasedPerStep: 50,

  /** Payments in the answer to a query without a limit (contract, Limits: "100 to 500, default 100"). */
  queryRecords: 100,
  /** Characters after which a page of `/v3/query` ends: 500 usual records take 1 MB. */
  queryPageCharsMax: 1536 * 1024,
  /** Characters after which an answer of `/v1/query` begins another piece: 100 usual records take 200 kB. */
  queryPieceCharsMax: 256 * 1024,
  /** Transactions or trees that are read at once: two milliseconds of the event loop, at their usual size. */
  queryRowsPerRead: 125,
  /** Transactions or trees of a first read: their size is unknown, and they may have the largest carts. */
  queryRowsPerFirstRead: 25,
  /** Characters that are read at once, estimated by the largest entry: 1.5 milliseconds of the event loop. */
  queryCharsPerRead: 512 * 1024,
  /** Keys of searches for which the size of the largest entry is cached. */
  searchSizesMax: 10_000,
  /** Transactions that are counted for the number of pages: about 20 ms of steps. */
  queryCountedMax: 50_000,
  /** Concurrent searches of one merchant: each takes one of the 64 places of requests in progress. */
  searchesOfMerchantMax: 40,
  /** Concurrent searches of all merchants: a quarter of the places are reserved for payments. */
  searchesMax: 48,
  /** Searches whose page starts are cached: at most 30 MB, with the next limit. */
  pagedSearchesMax: 200,
  /** Cached page starts of one search. */
  pageStartsMax: 1_000,

  /** Levels of entities: psp, division, merchant, channel. A longer chain is a cycle. */
  entityDepthMax: 4,
  /** Cached Authorization headers: as many as connections. */
  recentHeadersMax: 10_000,
  /**
   * Length of a cached Authorization header: usually 83 characters. A longer header is hashed for each request.
   */
  recentHeaderCharsMax: 256,

  /** "checkout id validity | 30 minutes" */
  checkoutMs: 30 * MINUTE_MS,
  /** "automatic shopperResultUrl call | after 29 minutes" */
  safetyCallMs: 29 * MINUTE_MS,
  /** "Redirect pending expires after 30 min" (domain, 1.2). */
  pendingMs: 30 * MINUTE_MS,
  /** Expiry of a pending payment that a bank has accepted (800.400.5xx), because the bank may take days. */
  acceptedPendingMs: 7 * DAY_MS,
  /** Retention of a session after its payment: late results of this period are applied. */
  sessionRetentionMs: 14 * DAY_MS,
  /** "Challenge limit 10 min" (domain, 3.1), and a minute for its result to arrive. */
  authenticationMs: 11 * MINUTE_MS,
  /** Default time limit of a decoupled authentication. */
  decoupledMinutes: 60,
  /** "1 to 10080" (EMV 3-D Secure, threeDSRequestorDecMaxTime): a week. */
  decoupledMinutesMax: 10_080,
  /** Time for the result of a decoupled authentication to arrive after its time limit. */
  decoupledGraceMs: MINUTE_MS,
  /** "acctNumber: 13 to 19 digits" (EMV 3-D Secure). */
  cardNumberDigitsMin: 13,
  cardNumberDigitsMax: 19,
  /** Interval of reading the card ranges of the directory server, and the wait after a failed read. */
  cardRangesEveryMs: HOUR_MS,
  cardRangesRetryMs: 10_000,
  /** Times after the redirect at which a bank without a notification is polled. */
  sessionPollDelaysMs: [60_000, 120_000, 300_000, 600_000, 1_200_000, 1_800_000],
  /** Interval of further polls. */
  sessionPollIntervalMs: HOUR_MS,
  /** Redirect sessions that are polled concurrently: each poll is a request to a bank. */
  sessionPollsConcurrent: 16,
  /** Period in which an expired checkout is answered as expired instead of unknown. */
  checkoutRetentionMs: DAY_MS,
  /** "Two status reads a minute and checkout" (interop, Checkouts). */
  statusReadsPerMinute: 2,
  /** Registrations that a checkout offers for one-click payment: more do not fit on a page. */
  offeredRegistrationsMax: 20,

  /** Items of a list in a setting: more than there are brands or currencies. */
  settingItemsMax: 200,
  /** Characters of a time zone's name: the longest has 32. */
  timeZoneCharsMax: 64,
  /** Maximum of the setting of the duplicate window: a payment after a day is another purchase. */
  duplicateWindowSecondsMax: DAY_SECONDS,
  /** Maximum of the setting of the clearing cut-off: ten times the default of a day. */
  clearingCutOffHoursMax: 240,
  /**
   * Rules of one entity: each payment is checked against all of them, and `resultDetails.RiskHits` must have room for
   * all of their names.
   */
  riskRulesMax: 50,
  riskNameCharsMax: 32,
  /** Overrides of one entity's rules, each for a risk channel or service: as many as a merchant has shops. */
  riskOverridesMax: 20,
  /** Values in the list of a rule: a list of fingerprints takes a third of a management request. */
  riskListMax: 1_000,
  /** Characters of a listed value: the maximum length of compared parameters, except risk.parameters. */
  riskValueCharsMax: 255,
  /** Maximum period of a counting rule: a longer one would not measure velocity. */
  riskSecondsMax: 30 * DAY_SECONDS,
  /** Maximum count of a rule: storage reads at most 1,000 rows of a counter. */
  riskCountMax: 999,
  /**
   * Routes of one entity: a payment is compared with all of them, and the largest list takes a fraction of a
   * millisecond.
   */
  routesMax: 100,
  routeNameCharsMax: 32,
  /** Ranges of card numbers of one route: the issuers of a country are fewer. */
  routeBinsMax: 500,
  /** Targets of one route: more than are ever tried for a payment, so that some may be disabled. */
  routeTargetsMax: 10,
  routeWeightMax: 1_000,
  /** Payments without a final result that are read in one step before a connector is deleted, and in all. */
  openPaymentsRead: 1_000,
  openPaymentsMax: 100_000,
  /** Entities that the refusal of a deletion names. */
  namedEntitiesMax: 5,
  /**
   * The latest velocity entries in memory, which include those of all requests in flight: five of a request, for a card
   * with two fingerprint keys.
   */
  velocityInFlightMax: 5_000,
} as const
