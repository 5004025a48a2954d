import { DAY_MS, DAY_SECONDS, HOUR_MS, MINUTE_MS } from '@tollgate/contract'

/** Every bound of the operations, in one place. */
export const limits = {
  /** Largest setting for an entity's requests in a minute: the capacity of a hundred processes. */
  requestsAMinuteMax: 100_000_000,
  /** Largest setting for declined attempts in an hour. More is the same as off. */
  declinesMax: 100_000,
  /** Memory of one streamed answer: a piece, and the rows that are read for the next one. */
  streamedBytes: 512 * 1024,
  /** How long an Idempotency-Key answers as it did: longer than any sensible retry, and over a weekend. */
  idempotencyKeyMs: 7 * DAY_MS,

  /** Accounts that one step examines for expired retention: half a millisecond of the event loop. */
  retentionAccounts: 20,
  /** Between two such steps: a hundredth of the time, and a million accounts take an hour of each day. */
  retentionPauseMs: 50,
  /** Retention is counted in days. */
  retentionEveryMs: DAY_MS,
  /** The longest that an operator may set: ten years. */
  retentionDaysMax: 3_650,
  /** Expired counts of risk rules that are erased in one step: a few milliseconds of the writer. */
  forgottenAtOnce: 500,

  /** Frames of a stack that a line of the log names: as many as V8 gathers. */
  stackFramesMax: 10,
  /** Decisions of a command whose unit of work loses its version race. */
  commandTriesMax: 5,
  /** Commits of an acquirer's response while other requests change the payment. */
  responseTriesMax: 5,
  /** Reads of a cached table while this process changes it. */
  cacheReloadTriesMax: 5,
  /** Reads of a plan and its timer until both belong to the same state. */
  planReadTriesMax: 5,
  /** Commits of a delivery attempt while an operator or another process changes the delivery. */
  attemptTriesMax: 5,
  /** Tries to change a webhook that other processes change. */
  webhookChangeTriesMax: 5,
  /** Tries to erase an account that other requests change. */
  accountErasureTriesMax: 5,
  /** Attempts at a shopper's cancellation while results of the issuer change the session concurrently. */
  cancellationTriesMax: 5,
  /** Digits of a number that is no card of ours, below which first six and last four would show too much of it. */
  shownDigitsMin: 13,
  /** Characters of an account number, below which its last four would be half of it. */
  shownCharactersMin: 8,
  /** Random bytes drawn from the operating system at once: some 800 ids. */
  randomPoolBytes: 8_192,

  /** How long before its end an authorisation is warned of (domain: a day). */
  authorisationWarningMs: DAY_MS,
  /** Reversals of expired authorisations that are under way at once: the rest of the acquirer is for payments. */
  authorisationsTogether: 4,
  /** Runs of plans that are under way at once: most are due in the same second, and shoppers wait for theirs. */
  runsTogether: 16,
  /** Plans of a registration, ended ones included: what ends a registration reads them all, and a list shows them. */
  plansOfRegistrationMax: 100,
  /** Of these, plans of one chain: a subscription that changes every month for four years. */
  plansOfChainMax: 50,
  /** Bytes of a plan's parameters: some hundred. A plan with a cart of 1,000 items is a mistake. */
  planCharsMax: 16 * 1024,
  /** Timeout of a request to an acquirer: its own side has answered by then, or a stand-in. */
  acquirerAnswerMs: 25_000,
  /** Time for the acknowledgement of a reversal after a timeout. */
  acquirerEndMs: 5_000,
  /** Age at which the job reverses an authorisation request: twice as long as request and reversal may take. */
  attemptMs: MINUTE_MS,
  /** Waits before a timeout reversal is sent again; the last one repeats. */
  attemptWaitsMs: [10_000, 30_000, 60_000, 300_000],
  /** After this time the job is dead-lettered: a week. */
  attemptGivenUpMs: 7 * DAY_MS,
  /** Attempts that are ended at once, so that an acquirer that comes back is not flooded. */
  attemptsEndedTogether: 16,

  /** For how long attempts are gathered for one commit: shorter than any delivery takes but those on one machine. */
  attemptsGatheredMs: 2,
  /** Initialisation vectors that are drawn from the operating system at once: 6 kB. */
  vectorsDrawn: 512,
  /** Calls to a notificationUrl under way in each of sixteen lanes. */
  notificationsTogether: 4,
  /** Characters of a webhook's answer that are kept: an error message, and not a page. */
  attemptAnswerChars: 1_000,
  /**
   * A delivered body. A payment with 1,000 cart items, each with the usual texts, is a form of 1 MB; its answer is no
   * longer than the form, and encrypted it is written in hexadecimal, two digits a byte.
   */
  deliveryBodyBytesMax: 2 * 1024 * 1024,
  /** Delay of a delivery behind an earlier one of its payment: longer than that one may last. */
  orderWaitMs: 35_000,
  /** Retries of a delivery that later ones of its payment wait for: seven minutes; then they go ahead. */
  orderRetries: 3,
  /** Keys of one webhook that are not used up: the one in use, one that waits for its test, those that end. */
  webhookKeysMax: 4,
  /**
   * Deliveries of a deleted webhook that are dead-lettered in one commit: a quarter of a millisecond of the event loop.
   */
  deliveriesParkedTogether: 250,
  /** Commits of a webhook's deletion: a million deliveries. Any more are dead-lettered when they are due. */
  webhookDeletionRoundsMax: 4_000,
  /** Events of one replay: a second of the event loop at most. */
  replayEventsMax: 1_000,
  /** How long events, deliveries that ended and their attempts are kept: a delivery may take 30 days. */
  eventsKeptMs: 35 * DAY_MS,
  /** Events or deliveries that are erased in one step. */
  erasedEvents: 50,

  /** Payments in the answer to a query without a limit (contract, Limits: "100 to 500, default 100"). */
  queryRecords: 100,
  /** Characters after which a page of `/v3/query` ends: 500 usual records take 1 MB. */
  queryPageCharsMax: 1536 * 1024,
  /** Characters after which `/v1/query` begins another piece: 100 usual records take 200 kB. */
  queryPieceCharsMax: 256 * 1024,
  /** Transactions, or trees of them, that are read at once: two milliseconds of the event loop, at their usual size. */
  queryRowsTogether: 125,
  /** The same while their size is unknown: 25 of the largest carts. */
  queryRowsFirst: 25,
  /** Characters that are read at once, estimated by the largest entry: one and a half milliseconds. */
  queryStepChars: 512 * 1024,
  /** Merchants whose largest entry is remembered. */
  searchSizesMax: 10_000,
  /** Transactions that are counted to say how many pages there are: some 20 ms of steps. */
  queryCountedMax: 50_000,
  /** Searches of one merchant that are under way: each takes the place of a payment, of which there are 64. */
  searchesOfMerchantMax: 40,
  /** Searches of all merchants that are under way: a quarter of the places are for payments alone. */
  searchesMax: 48,
  /** Searches whose pages are remembered, and how many pages of each: 30 MB at the utmost. */
  pagedSearchesMax: 200,
  pagesRememberedMax: 1_000,

  /** Levels from a psp down to a channel; deeper is a circle. */
  entityDepthMax: 4,
  /** Authorization headers that were good a moment ago: as many as may be connected. */
  recentHeadersMax: 10_000,
  /** The longest that is remembered: ours have 83 characters. A longer one is hashed each time. */
  recentHeaderCharsMax: 256,

  /** "checkout id validity | 30 minutes", and a pending payment is over as soon (domain, 1.2). */
  checkoutMs: 30 * MINUTE_MS,
  /** "automatic shopperResultUrl call | after 29 minutes" */
  safetyCallMs: 29 * MINUTE_MS,
  /** "Redirect pending expires after 30 min" (domain, 1.2). */
  pendingMs: 30 * MINUTE_MS,
  /** A payment that a bank accepted may take days (800.400.5xx). */
  waitingMs: 7 * DAY_MS,
  /** A late approval is believed for as long. */
  visitKeptMs: 14 * DAY_MS,
  /** "Challenge limit 10 min" (domain, 3.1), and some time for the word of it to arrive. */
  authenticationMs: 11 * MINUTE_MS,
  /** Default time limit of a decoupled authentication. */
  decoupledMinutes: 60,
  /** "1 to 10080" (EMV 3-D Secure, threeDSRequestorDecMaxTime): a week. */
  decoupledMinutesMax: 10_080,
  /** For the word of it to arrive when that time is over. */
  decoupledGraceMs: MINUTE_MS,
  /** "acctNumber: 13 to 19 digits" (EMV 3-D Secure). */
  cardNumberDigitsMin: 13,
  cardNumberDigitsMax: 19,
  /** Interval of reading the card ranges of the directory server, and the wait after a failed read. */
  cardRangesEveryMs: HOUR_MS,
  cardRangesRetryMs: 10_000,
  /** When a bank without a notification is polled, after the shopper was sent there. */
  visitAskedAfterMs: [60_000, 120_000, 300_000, 600_000, 1_200_000, 1_800_000],
  /** And from then on. */
  visitAskedEveryMs: HOUR_MS,
  /** Redirect sessions that are polled concurrently: each is a request to a bank. */
  visitsTogether: 16,
  /** How long an expired checkout is answered as expired rather than unknown. */
  checkoutKeptMs: DAY_MS,
  /** "Two status reads a minute and checkout" (interop, Checkouts). */
  statusReadsAMinute: 2,
  /** Stored details that are offered for one click: more fit on no page. */
  offeredRegistrationsMax: 20,

  /** Brands or currencies that a setting lists: more than there are. */
  settingItemsMax: 200,
  /** Names of time zones have up to 32 characters. */
  timeZoneCharsMax: 64,
  /** A day: a later payment is another purchase. */
  duplicateWindowSecondsMax: DAY_SECONDS,
  /** Ten times the usual day. */
  clearingCutOffHoursMax: 240,
  /**
   * Rules of one entity: each payment is checked against all of them, and `resultDetails.RiskHits` must contain all of
   * their names.
   */
  riskRulesMax: 50,
  riskNameCharsMax: 32,
  /** Further sets of rules of one entity, each for a risk channel or service: as many as a merchant has shops. */
  riskOverridesMax: 20,
  /** Values in one list of a rule; with fingerprints it is a third of a management request. */
  riskListMax: 1_000,
  /** As long as the longest texts that lists are compared with, but risk.parameters. */
  riskValueCharsMax: 255,
  /** How far back rules look: longer is no velocity any more. */
  riskSecondsMax: 30 * DAY_SECONDS,
  /** Payments that a rule can let pass: storage reads no more of one counter. */
  riskCountMax: 999,
  /** Entries that may not be on disk yet: a request brings five, with a card under two fingerprint keys. */
  riskUnderWayMax: 5_000,
} as const
