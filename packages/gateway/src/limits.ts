import { DAY_MS, DAY_SECONDS, HOUR_MS, MINUTE_MS } from '@tollgate/contract'
import { limits as operationLimits } from '@tollgate/operations'

/** Every bound of listeners, runtime and management, in one place. */
export const limits = {
  /**
   * A request's body. 1,000 cart items, each with ten parameters and a description of 100 characters, take 0.5 MB, and
   * 1.3 MB where every character of the description takes nine bytes (Chinese, escaped). The rest is for longer names.
   */
  bodyBytesMax: 2 * 1024 * 1024,
  /** All bodies that are being read, together: room for a hundred of the largest, or for every usual one. */
  bodiesBytesMax: 200 * 1024 * 1024,
  /** Of these, those without an access token, which older clients send: room for thousands of the usual ones. */
  unauthenticatedBodiesBytesMax: 20 * 1024 * 1024,
  /** Of these, those of one merchant, so that other merchants always have room. */
  merchantBodiesBytesMax: 50 * 1024 * 1024,
  /** Requests being worked on at once: as many as keep processor and disk busy. More would only take longer. */
  workingUnits: 64,
  /** Requests that wait for their turn; on top the answer is 800.120.100 instead of an endless queue. */
  waitingUnits: 384,
  /** For how long: on a machine too slow for so many it is no use to any of them. A disk may pause for less. */
  waitingMsMax: 200,
  /** Turns of the event loop before sockets are read again: a millisecond or two. */
  admittedTogether: 16,
  /** Refusals that leave in one step: 1,500 a second cost a fifth of a processor. */
  refusalsAStep: 30,
  refusalStepMs: 20,
  /** The longest delay of a refusal: equal to the shortest time after which its client may retry. */
  refusalWaitMsMax: 1_000,
  /** A body that counts as one request; a longer one counts as several, in work and in room. Usual ones take 1 kB. */
  unitBytes: 16 * 1024,
  /** Units of work waiting for their commit; above it likewise. */
  commitDepthMax: 2_000,
  /** When a client that found no room may come again: at thousands of units a second the queue is soon gone. */
  retryAfterMs: 1_000,
  /** The window of rate limits: long enough for a burst, short enough to wait for its end. */
  throttleWindowMs: MINUTE_MS,
  /** Entities whose requests of one operation are counted, or addresses with failed logins: 15 MB at the utmost. */
  throttleKeysMax: 20_000,
  /** Window in which declined attempts of shoppers are counted. */
  declineWindowMs: HOUR_MS,
  /**
   * When an attempt may be repeated while others with the same card are in flight: about the response time of an
   * acquirer.
   */
  declineRetryMs: 1_000,
  /** Wrong credentials of one address in a window: a client that was set up wrongly shows in the log all the same. */
  failedLoginsAMinute: 60,
  /** Open connections: twenty for each request that may be under way, as clients keep some in reserve. */
  connectionsMax: 10_000,
  /** Of operators: a few people, their scripts and a scraper. */
  manageConnectionsMax: 256,
  /** Of the sample shop or the simulators: a browser takes six, a test a few dozen. */
  testConnectionsMax: 256,
  /** Requests of one connection that are worked on at once; it is not read until one of them is answered. */
  unansweredRequestsMax: 16,
  /** Requests behind these that came with the same read, on all connections: some 60 MB. One read brings 3,600. */
  pipelinedRequestsMax: 20_000,
  /** Unsent bytes from which a connection gets no further request worked on: a page of a query. */
  connectionUnsentBytesMax: 256 * 1024,
  /** Unsent bytes of one merchant: sixteen of the largest answers, or every usual one. */
  merchantUnsentBytesMax: 32 * 1024 * 1024,
  /** Unsent bytes of all merchants: four that do not read leave room for the others. */
  unsentBytesMax: 128 * 1024 * 1024,
  /** Answers up to this length are not counted as unsent: sixteen of a connection are 64 KiB. Payments take 2 kB. */
  unchargedAnswerBytes: 4 * 1024,
  /** Longer bodies leave in pieces of this size: at 2 kB a second each of them leaves in time. */
  pieceBytes: 64 * 1024,
  /** Longest standstill of a connection's output: several lost packets and a train's tunnel. */
  outputStalledMs: 30_000,
  /** How often it is measured: a thousandth of a millisecond for each connection with unsent bytes. */
  outputSweepMs: 1_000,
  /** Requests without a token that one address may send at once, and each second: a shop's page takes twenty. */
  addressBurst: 600,
  addressRequestsASecond: 300,
  /** An answer of this length counts as one such request: a longer document as several, the OpenAPI one as 15. */
  addressRequestBytes: 32 * 1024,
  /** The longest wait of such a request; above it the request is refused. */
  addressWaitMsMax: 1_000,
  /** Interval of the check for requests that take too long to arrive. */
  connectionsCheckMs: 1_000,
  /** Time for the headers to arrive. A client sends them at once; a slow one occupies only its connection. */
  headersTimeoutMs: 10_000,
  /** For the whole request: the largest body at 70 kB a second. */
  requestTimeoutMs: 30_000,
  /** How long an idle connection is kept: longer than a balancer keeps it, usually 60 s, so that that one ends it. */
  keepAliveTimeoutMs: 65_000,
  /** A path's parameter: ids have 32 characters, and a longer one that is well-formed is just unknown. */
  pathParameterCharsMax: 128,
  /** As long as the longest texts of the contract. */
  idempotencyKeyCharsMax: 255,

  /** The longest drain delay: several checks of the slowest load balancers. */
  drainDelaySecondsMax: 300,
  /** How long a stopping process waits for requests under way. */
  drainTimeoutMs: 20_000,
  /** How often connections without a request in progress are looked for: time to read bytes already sent. */
  drainSweepMs: 500,

  /** How often an idle worker polls for due jobs. */
  workerTickMs: 1_000,
  /** How long after a step that failed it is tried again: time for a full disk or a lock to pass. */
  workerRetryMs: 5_000,
  /** Accounts that are rewrapped in one step: some 2 ms of the event loop. */
  rewrapAccounts: 50,
  /** Between two such steps: payments keep nine tenths of the time, and a million accounts take some ten minutes. */
  rewrapPauseMs: 20,
  /** Accounts that are counted at once by their keys: a millisecond of the event loop. */
  countedAccounts: 1_000,
  /** How long the retirement of a key waits for payments in flight: twice, and its command waits for 35 seconds. */
  settleTimeoutMs: 5_000,
  /** For the command that prints the key ring: a secret store across a network answers within it. */
  keyCommandTimeoutMs: 10_000,
  /** Maximum output of that command: the maximum size of a key ring. */
  keyCommandOutputBytes: 16 * 1024,

  /** Bytes of a file of erasures that a start reads again: two thousand lines, far more than are under way at once. */
  erasuresReadAgainBytes: 64 * 1024,
  /** Rows that `tollgate doctor` lists of those that name a row which is not there, for each column: ten screens. */
  straysMax: 1000,
  /** Rows between two reports of progress. */
  walkedRows: 10_000,
  /** Changes of an entity, token or job by an operator that other processes make at the same time. */
  manageTriesMax: 5,

  /** Jobs of a queue in one read: a quarter of a millisecond of the event loop. */
  jobsPage: 250,
  /**
   * Lease of a job. Half of it is more than any job takes once it has begun; after a crash, its jobs wait this long for
   * another process.
   */
  jobHoldMs: 90_000,
  /**
   * How often processes publish the requests that they admitted, and how many keys a message has: its 7,900 bytes are
   * enough for the longest names. A limit can be exceeded by the requests of a quarter of a second.
   */
  rateCountersMs: 250,
  rateCountersPerMessage: 80,
  /** How long a journey of the clock waits for a job that another process does. */
  journeyWaitMs: 20,
  /** Attempts of a job that fails with an unexpected error; then it is dead-lettered for an operator. */
  jobAttempts: 12,
  /** How long such a job waits after its first attempt; after each of the next ones twice as long. */
  jobRetryMs: 30_000,
  /** How often that is doubled: to half an hour, so that the attempts last for some hours. */
  jobDoublings: 6,
  /** Jobs of a queue that are counted at most: a millisecond of the event loop. */
  countedJobs: 10_000,
  /** Jobs that one fast-forward of the clock runs; then the caller has to repeat it. */
  journeyJobs: 10_000,
  /** How far a clock is put forward at once: ten years, longer than any card lasts. */
  journeyLengthMs: 3_653 * DAY_MS,
  /** End of the clock: cards, certificates and time zones of later years are not tested. */
  clockEndMs: Date.UTC(2099, 11, 31, 23, 59, 59, 999),
  /**
   * How far the machine's clock may be behind and still be waited for, at half speed. No clock drifts further while a
   * time service keeps it (ntpd steps 1,000 seconds at most): a larger step corrects a clock that was far ahead.
   */
  clockBackMsMax: HOUR_MS,
  /** How often a clock that goes back again and again is logged. */
  clockLineEveryMs: MINUTE_MS,
  /** How often the time is noted for later processes: so far a killed one may go back. */
  clockNotedEveryMs: MINUTE_MS,
  /** How long such a journey may take, by the time of the world: less than its mover waits for an answer. */
  journeyMs: 20_000,

  /** Webhooks of one entity: each event is written and sent once for each. */
  webhooksMax: 20,

  /** Requests to addresses that merchants give. */
  outgoing: {
    /** As long as the longest address of the contract, notificationUrl. */
    urlCharsMax: 2_048,
    /** Addresses that have been taken apart and need not be again: more than there are endpoints that are busy. */
    recentTargetsMax: 1_000,
    /** The longest body that is delivered. */
    bodyBytesMax: operationLimits.deliveryBodyBytesMax,
    /** Bodies of all requests under way and waiting, together: sixty of the longest, or thousands of usual ones. */
    bodiesBytesMax: 128 * 1024 * 1024,
    /** Bytes of an answer's body that are read: enough for an operator to see the error of the other side. */
    answerBytesMax: 16 * 1024,
    /** The headers of an answer: as long as Node takes them. */
    answerHeadersBytesMax: 16 * 1024,
    /** All that comes over the line for one answer, with its heads, its chunks of one byte each, and TLS around it. */
    answerLineBytesMax: 512 * 1024,
    /** Answers of status 1xx before the answer proper; one or two are usual. */
    interimAnswersMax: 8,
    /** For a name to resolve, a connection and its TLS: three lost packets in a row. */
    connectTimeoutMs: 5_000,
    /** For one address of several, before the next one is tried beside it. */
    addressTimeoutMs: 1_000,
    /** For all of it, from the wait for a connection to the last byte of the answer. */
    totalTimeoutMs: 30_000,
    /** To one origin at once: with a tenth of a second for an answer, 320 of them a second. */
    originConnectionsMax: 32,
    /** Connections to all origins: 16 that hang at the same time do not delay the others; some 50 MB with TLS. */
    connectionsMax: 512,
    /** Requests that wait for a connection; those on top fail at once, and are tried again at their time. */
    waitingMax: 1_000,
    /** How long an idle connection is kept: less than the five seconds after which many servers end it. */
    idleMs: 4_000,
    /** How long one in use is kept: as long as a server that has moved may still be sent to. */
    connectionAgeMs: MINUTE_MS,
    /** The longest `Retry-After` that is followed: with more, a retry would miss its days. */
    retryAfterMsMax: DAY_MS,
  },

  /** Pause between two refreshes for rows of other processes: each reads all entities and tokens. */
  directoryRefreshMs: 1_000,

  /** Bounds of the duration histogram: a payment on a fast disk, on a slow one, and one that waits. */
  durationBoundsMs: [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 10_000, 30_000],
  /** How often the delay of the event loop is sampled, once metrics are scraped: a thousandth of the processor. */
  eventLoopSampleMs: 20,

  /** For a directory server and the issuer behind it. */
  directoryServerMs: 15_000,
  /** Card ranges of a network: tens of thousands. */
  directoryServerBytesMax: 32 * 1024 * 1024,
  /** Body of a post by an issuer or a browser to the pages of an authentication. */
  pageBodyBytesMax: 64 * 1024,
  /** Timeout of a request to a connector: no operation waits longer for its answer. */
  connectorAnswerMs: operationLimits.acquirerAnswerMs,
  /** An answer of a bank about one payment. */
  acquirerAnswerBytesMax: 64 * 1024,

  /** How often the payment pages are checked as browsers get them: PCI DSS 11.6.1 demands once a week. */
  pagesEveryMs: HOUR_MS,
  /** How soon again where they could not be reached. */
  pagesRetryMs: 300_000,
  /** Between one page and the next: payments are not to notice. */
  pagesPauseMs: 50,
  /** For one of them. */
  pageFetchMs: 3_000,
  /** Ten times the largest. */
  pageBytesMax: 1024 * 1024,
  /** Bytes of a browser's report: some twenty violations of usual length. */
  reportBytesMax: 16 * 1024,
  reportsAtOnce: 20,
  /** Reports from one address in a window, and lines of the log for all of them. */
  reportsAMinute: 30,
  reportLinesAMinute: 60,

  /** Lines of the log are handed over in blocks of about this size: some 40 payments. */
  logBlockChars: 8 * 1024,
  /** How long a line may wait for its block to fill. */
  logFlushMs: 500,
  /** Lines that wait for a slow reader of standard output; further ones are dropped. */
  logWaitingBytes: 16 * 1024 * 1024,

  /** Body of a request by an operator: settings with every brand and currency take 3 kB. */
  manageBodyBytesMax: 256 * 1024,
  /** Rows in an answer to an operator. */
  listMax: 500,
  /** A channel's name becomes part of descriptors, which have 127 characters. */
  nameCharsMax: 100,

  /** Long enough to be used at all; ten years, because one that never ends can be had by leaving it out. */
  tokenLifetimeSecondsMin: 60,
  tokenLifetimeSecondsMax: 10 * 365 * DAY_SECONDS,
  /** How long an old token stays valid after a rotation by default: a day to deploy the new one. */
  overlapSeconds: DAY_SECONDS,
  /** A month of both tokens is no rotation any more. */
  overlapSecondsMax: 30 * DAY_SECONDS,

  /** A chain of some ten certificates; a longer file is something else. */
  tlsFileBytesMax: 256 * 1024,
  /** How often the files of the certificate are read: they are small, and renewed long before it expires. */
  tlsLookMs: 10_000,
  /** How long before its end a certificate is warned of: automatic renewal has failed for a week or more by then. */
  tlsWarningMs: 21 * DAY_MS,
  /** How often the warning comes again. */
  tlsWarningEveryMs: DAY_MS,
  /** Networks of trusted proxies: more are no list that anyone keeps. */
  trustedProxiesMax: 100,

  /** A shorter management key is a word, which can be guessed. */
  manageKeyCharsMin: 12,
  /** A port has 16 bits. */
  portMax: 65_535,
} as const
