import { DAY_MS, DAY_SECONDS, HOUR_MS, MINUTE_MS } from '@tollgate/contract'
import { limits as operationLimits } from '@tollgate/operations'

/** All bounds of this package. Those of operations are in the `limits` of @tollgate/operations. */
export const limits = {
  /** `tollgate check`: days before the expiry of a certificate, the tolerated clock difference, and its bounds. */
  certificateDaysMin: 14,
  clockSkewMsMax: 2_000,
  checkedChannelsMax: 100,
  namedGapsMax: 20,
  /** Terminal ids at the acquirer's test host: one for each process, and some for processes that were killed. */
  testHostTerminals: Array.from({ length: 16 }, (_, index) => `TG${String(index + 1).padStart(6, '0')}`),
  /** Addresses of one connector: two data centres with two hosts each. */
  connectorAddressesMax: 4,
  /** Terminal ids of one connector: each process needs one, and a second for each 999,999 messages a day. */
  connectorTerminalsMax: 200,
  /** Characters of a certificate with its chain, or of a key, in PEM. */
  connectorPemCharsMax: 12_000,
  /** Characters of the access token of a provider. */
  connectorTokenCharsMax: 512,
  /** Body of a provider's notification: twice the largest encrypted text, because it is in hexadecimal digits. */
  notificationBodyBytesMax: 264 * 1024,
  /** Time between two warnings about the notifications of a connector. */
  notificationWarningMs: 60_000,
  /** Fees of one connector, each for several currencies. */
  connectorCostsMax: 50,
  /** Connectors of an installation: their links are kept open, and every process opens them. */
  connectorsMax: 100,
  /** SFTP targets, and sources of settlement files: each has a poll or a file a day. */
  sftpAccountsMax: 1_000,
  /** Time for which a replaced connector goes on while its successor connects, and pause between two looks at it. */
  connectorReadyMsMax: 5_000,
  connectorReadyPollMs: 50,
  /** Time for which a replaced connector still sends: longer than the commit between its selection and the sending. */
  connectorHandoverMs: 500,
  /**
   * A request's body. 1,000 cart items, each with ten parameters and a description of 100 characters, take 0.5 MB, and
   * 1.3 MB where every character of the description takes nine bytes (Chinese, escaped). The rest is for longer names.
   */
  bodyBytesMax: 2 * 1024 * 1024,
  /** Bytes of all bodies with an access token that are being read: a hundred of the largest, or 200,000 usual ones. */
  bodiesBytesMax: 200 * 1024 * 1024,
  /** Bytes of bodies without an access token, in which older clients send a login: thousands of usual ones. */
  unauthenticatedBodiesBytesMax: 20 * 1024 * 1024,
  /** Bytes of the bodies of one merchant, so that other merchants always have room. */
  merchantBodiesBytesMax: 50 * 1024 * 1024,
  /**
   * Trees of a partition that stay when it is archived: payments wait while they move, a few hundred milliseconds at
   * most.
   */
  stayingTreesMax: 2000,
  /** Requests in progress: enough to keep processor and disk busy. More would only delay each other. */
  admittedRequestsMax: 64,
  /**
   * Admitted requests that wait for an acquirer and do not count as in progress: more than the links to one host
   * accept, at some 30 kB each.
   */
  waitingElsewhereMax: 4_000,
  /** Requests in the fair queue; above it the answer is 800.120.100 instead of an endless queue. */
  queuedRequestsMax: 384,
  /** Longest wait in the queue: more than a pause of the disk; if the machine is overloaded, more would not help. */
  waitingMsMax: 200,
  /** Requests that are admitted before sockets are read again: one or two milliseconds of the event loop. */
  admittedPerStep: 16,
  /** Refusals that are sent in one step: 1,500 a second use a fifth of a processor. */
  refusalsPerStep: 30,
  refusalStepMs: 20,
  /** The longest delay of a refusal: equal to the shortest time after which its client may retry. */
  refusalWaitMsMax: 1_000,
  /** Length of a body that counts as one request; a longer one counts as several. Usual bodies have 1 kB. */
  requestWeightBytes: 16 * 1024,
  /** Units of work that wait for their commit; above it the answer is 800.120.100, too. */
  commitDepthMax: 2_000,
  /** Delay after which a client may retry: at thousands of units a second, the queue is soon empty. */
  retryAfterMs: 1_000,
  /** The window of rate limits: long enough for a burst, short enough to wait for its end. */
  throttleWindowMs: MINUTE_MS,
  /** Keys of one throttle, such as entities, cards or addresses: 15 MB at most. */
  throttleKeysMax: 20_000,
  /** Window in which declined attempts of shoppers are counted. */
  declineWindowMs: HOUR_MS,
  /**
   * Delay after which an attempt may be repeated while other attempts with the same card are in flight: about the
   * response time of an acquirer.
   */
  declineRetryMs: 1_000,
  /** Failed logins of one address in a window: enough for a misconfigured client to show in the log. */
  failedLoginsPerMinute: 60,
  /** Open connections: twenty for each request that may be in progress or wait, because clients keep idle ones. */
  connectionsMax: 10_000,
  /** Connections of operators: a few people, their scripts and a scraper. */
  manageConnectionsMax: 256,
  /** Connections to the sample shop or to the simulators: a browser opens six, a test a few dozen. */
  testConnectionsMax: 256,
  /** Requests in progress of one connection, which is then not read until one of the requests is answered. */
  unansweredRequestsMax: 16,
  /**
   * Requests of all connections that were parsed, but wait because their connection is at its bound: some 60 MB. A
   * single read of a socket can contain 3,600 requests.
   */
  pipelinedRequestsMax: 20_000,
  /** Unsent bytes of a connection above which none of its requests is started: a page of a query. */
  connectionUnsentBytesMax: 256 * 1024,
  /** Unsent bytes of one merchant: sixteen of the largest answers, or thousands of usual ones. */
  merchantUnsentBytesMax: 32 * 1024 * 1024,
  /** Unsent bytes of all merchants: three merchants that do not read their answers leave room for the others. */
  unsentBytesMax: 128 * 1024 * 1024,
  /**
   * Answers up to this length are not counted as unsent, because the sixteen answers of a connection have at most 64
   * KiB. The answer to a payment has 2 kB.
   */
  unchargedAnswerBytes: 4 * 1024,
  /** Longer bodies are sent in pieces of this size: at 2.2 kB a second no piece takes `outputStalledMs`. */
  pieceBytes: 64 * 1024,
  /** Longest standstill of a connection's output: several lost packets, or a short loss of a mobile network. */
  outputStalledMs: 30_000,
  /** How often outputs are checked for a standstill. The check takes a microsecond per connection with unsent bytes. */
  outputCheckMs: 1_000,
  /** Requests without a token that one address may send at once, and each second: a shop's page takes twenty. */
  addressBurst: 600,
  addressRequestsPerSecond: 300,
  /**
   * Length of an answer that counts as one such request. A longer document counts as several, the OpenAPI document as
   * 15.
   */
  addressRequestBytes: 32 * 1024,
  /** The longest wait of such a request; above it the request is refused. */
  addressWaitMsMax: 1_000,
  /** Interval of the check for requests that take too long to arrive. */
  connectionsCheckMs: 1_000,
  /**
   * Time for a TLS handshake, and for the headers of a request. Usual clients send both without a pause; a slow client
   * occupies one connection.
   */
  headersTimeoutMs: 10_000,
  /** Time for the whole request to arrive: the largest body at 70 kB a second. */
  requestTimeoutMs: 30_000,
  /**
   * How long an idle connection is kept: longer than a balancer keeps it, usually 60 s, so that the balancer ends it.
   */
  keepAliveTimeoutMs: 65_000,
  /**
   * How long the rest of a request is read after an answer that closes its connection: until a client on a slow network
   * has the answer.
   */
  lingerMs: 2_000,
  /** A parameter of a path: ids have 32 characters; a longer well-formed one is an unknown id. */
  pathParameterCharsMax: 128,
  /** An idempotency key: as long as the longest texts of the contract. */
  idempotencyKeyCharsMax: 255,

  /** The longest drain delay: several checks of the slowest load balancers. */
  drainDelaySecondsMax: 300,
  /** How long a stopping process waits for requests in progress. */
  drainTimeoutMs: 20_000,
  /**
   * How often a drain closes connections without a request in progress. The delay before the first check is long enough
   * to read requests that clients have already sent.
   */
  drainIdleCheckMs: 500,

  /** How often the job runner polls for due jobs, and a background task checks whether its sweep is due. */
  workerTickMs: 1_000,
  /** Delay before a background task repeats a failed step: time for a full disk or a lock to pass. */
  workerRetryMs: 5_000,
  /** Accounts that are rewrapped in one step: some 2 ms of the event loop. */
  rewrapAccounts: 50,
  /**
   * Pause between two such steps: payments keep nine tenths of the time, and a million accounts take some ten minutes.
   */
  rewrapPauseMs: 20,
  /** Accounts on one page of a count by key: a millisecond of the event loop. */
  countedAccounts: 1_000,
  /** Files of evidence on one page of that count. */
  countedEvidence: 100,
  /** How long the retirement of a key waits for payments in flight. It waits twice; the CLI waits for 35 s. */
  inFlightTimeoutMs: 5_000,
  /** Timeout of the command that prints the key ring: a secret store across a network answers within it. */
  keyCommandTimeoutMs: 10_000,
  /** Maximum output of that command: the maximum size of a key ring. */
  keyCommandOutputBytes: 16 * 1024,

  /** Replayed bytes of a tombstone log that a start reads again: 2,000 lines, far more than erasures in flight. */
  tombstonesReadAgainBytes: 64 * 1024,
  /** Dangling references that `tollgate doctor` lists for each column: ten screens. */
  danglingReferencesMax: 1000,
  /** Rows between two reports of progress. */
  progressRows: 10_000,
  /** Attempts of an operator's change of an entity or token while other processes change it, too. */
  manageTriesMax: 5,

  /** Jobs of a queue in one read: a quarter of a millisecond of the event loop. */
  jobsPage: 250,
  /**
   * Lease of a job. Half of it is more than any job takes once it has begun; after a crash, the jobs of the process
   * wait this long for another process.
   */
  jobLeaseMs: 90_000,
  /**
   * How often processes publish the requests that they admitted, and how many keys a message has: its 7,900 bytes are
   * enough for the longest names. A limit can be exceeded by the requests of a quarter of a second.
   */
  rateCountersMs: 250,
  rateCountersPerMessage: 80,
  /** How long a fast-forward of the clock waits before it checks again a job that another process runs. */
  fastForwardPollMs: 20,
  /** Attempts of a job that fails with an unexpected error; then it is dead-lettered for an operator. */
  jobAttempts: 12,
  /** Delay of such a job after its first attempt; each further attempt doubles it. */
  jobRetryMs: 30_000,
  /** How often the delay is doubled: to half an hour, so that the attempts last for some hours. */
  jobDoublings: 6,
  /** Jobs of a queue, or dead-lettered jobs of all kinds, that are counted at most: a millisecond of the event loop. */
  countedJobs: 10_000,
  /** Jobs that one fast-forward of the clock runs; then the caller has to repeat it. */
  fastForwardJobsMax: 10_000,
  /** Longest advance of the clock at once: ten years, longer than any card is valid. */
  fastForwardLengthMsMax: 3_653 * DAY_MS,
  /** End of the clock: cards, certificates and time zones of later years are not tested. */
  clockEndMs: Date.UTC(2099, 11, 31, 23, 59, 59, 999),
  /**
   * Largest step back of the machine's clock at which the gateway's clock runs at half speed until the machine catches
   * up. A clock under a time service drifts no further (ntpd steps 1,000 seconds at most): a larger step corrects a
   * clock that was far ahead.
   */
  clockBackMsMax: HOUR_MS,
  /** Shortest interval between two log lines about small steps back of the machine's clock. */
  clockWarningEveryMs: MINUTE_MS,
  /** How often the time is stored for later processes: after a kill, the clock goes back by no more. */
  clockStoredEveryMs: MINUTE_MS,
  /** How long a fast-forward may take in real time: less than its client waits for an answer. */
  fastForwardTimeoutMs: 20_000,

  /** Webhooks of one entity: each event is stored and sent once per webhook. */
  webhooksMax: 20,

  /** Requests to URLs of merchants. */
  outgoing: {
    /** A URL: as long as the longest address of the contract, notificationUrl. */
    urlCharsMax: 2_048,
    /** Parsed URLs in the cache: more than there are busy endpoints. */
    recentTargetsMax: 1_000,
    /** The longest body that is delivered. */
    bodyBytesMax: operationLimits.deliveryBodyBytesMax,
    /** Bodies of all requests in flight and waiting: sixty of the longest, or thousands of usual ones. */
    bodiesBytesMax: 128 * 1024 * 1024,
    /** Bytes of an answer's body that are read: enough for an operator to see an error of the server. */
    answerBytesMax: 16 * 1024,
    /** Bytes of the bodies of all answers that are being read. */
    answersBytesMax: 128 * 1024 * 1024,
    /** The headers of an answer: the default of Node. */
    answerHeadersBytesMax: 16 * 1024,
    /** All bytes received for one answer, with its headers, the framing of chunks of one byte, and TLS. */
    answerReceivedBytesMax: 512 * 1024,
    /** Answers of status 1xx before the final one; one or two are usual. */
    interimAnswersMax: 8,
    /** Time to resolve a name, to connect and for TLS: three lost packets in a row. */
    connectTimeoutMs: 5_000,
    /** Time to connect to one of several addresses, before the next address is tried. */
    addressTimeoutMs: 1_000,
    /** Time for a request, from the wait for a connection to the last byte of the answer. */
    totalTimeoutMs: 30_000,
    /** Connections to one origin: 320 answers a second if each takes a tenth of a second. */
    originConnectionsMax: 32,
    /** Connections to all origins: 15 origins that hang do not delay the other origins; some 50 MB with TLS. */
    connectionsMax: 512,
    /** Requests that wait for a connection; further ones fail at once, and are retried when due. */
    waitingMax: 1_000,
    /** How long an idle connection is kept: less than the five seconds after which many servers end it. */
    idleMs: 4_000,
    /** How long a connection in use is kept, and so how long a server still receives requests after it has moved. */
    connectionAgeMs: MINUTE_MS,
    /** The longest `Retry-After` that is obeyed: as long as the longest delay between two retries. */
    retryAfterMsMax: DAY_MS,
  },

  /** Requests to an upstream gateway; the other bounds are those of `outgoing`. */
  upstream: {
    /** An answer repeats a cart, so it may be as long as the longest form. */
    answerBytesMax: operationLimits.deliveryBodyBytesMax,
    answerReceivedBytesMax: 2 * operationLimits.deliveryBodyBytesMax,
    /** Shorter than the wait of the operations, so that they get the reason. */
    totalTimeoutMs: operationLimits.acquirerTimeoutMs - 1_000,
    /** Payments in flight: with a second for each, a thousand payments a second. */
    originConnectionsMax: 1_000,
    connectionsMax: 1_000,
    waitingMax: 4_000,
  },

  /** Pause between two refreshes of the directory, each of which reads all entities and tokens. */
  directoryRefreshMs: 1_000,

  /** Bounds of the duration histogram: a payment on a fast disk, on a slow one, and one that waits. */
  durationBoundsMs: [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 10_000, 30_000],
  /** How often the delay of the event loop is sampled, once metrics are scraped: a thousandth of the processor. */
  eventLoopSampleMs: 20,

  /** Timeout of a request to a directory server and the issuer behind it. */
  directoryServerMs: 15_000,
  /** An answer of a directory server: tens of thousands of card ranges of a network. */
  directoryServerBytesMax: 32 * 1024 * 1024,
  /** Body of a post by an issuer or a browser to the pages of an authentication. */
  pageBodyBytesMax: 64 * 1024,
  /** Timeout of a request to a connector: no operation waits longer for its answer. */
  connectorAnswerMs: operationLimits.acquirerTimeoutMs,
  /** An answer of a bank about one payment. */
  acquirerAnswerBytesMax: 64 * 1024,

  /** How often the payment pages are checked as browsers receive them: PCI DSS 11.6.1 demands once a week. */
  pagesEveryMs: HOUR_MS,
  /** Delay before the check is repeated if a page could not be fetched. */
  pagesRetryMs: 300_000,
  /** Pause between two pages, so that payments are not delayed. */
  pagesPauseMs: 50,
  /** Timeout of the fetch of one page. */
  pageFetchMs: 3_000,
  /** Bytes that are read of a page: ten times the longest page of the build. */
  pageBytesMax: 1024 * 1024,
  /** Bytes of a browser's report: some twenty violations of usual length. */
  reportBytesMax: 16 * 1024,
  /** Violations that are read from one body; further ones are ignored. */
  reportsPerBody: 20,
  /** Reports from one address in a window, and lines of the log for all addresses. */
  reportsPerMinute: 30,
  reportLinesPerMinute: 60,

  /** Lines of the log are written in blocks of about this length: some 40 payments. */
  logBlockChars: 8 * 1024,
  /** How long a line may wait for its block to fill. */
  logFlushMs: 500,
  /** Lines that wait for a slow reader of standard output; further ones are dropped. */
  logWaitingBytes: 16 * 1024 * 1024,

  /** Body of a request by an operator: settings with every brand and currency take 3 kB. */
  manageBodyBytesMax: 256 * 1024,
  /** Rows in an answer to an operator, and events that one request to replay them may name. */
  listMax: 500,
  /** Characters of a note in the history of a dispute. */
  disputeNoteCharsMax: 500,
  /** Concurrent uploads and downloads of evidence, each of which takes up to 40 MiB of memory. */
  evidenceTransfersMax: 4,
  /** Pause between two polls of the folder of settlement files, and the files that one poll examines. */
  settlementFolderEveryMs: 5_000,
  settlementFolderFilesMax: 1_000,
  /** Characters of a line with a public key (RSA of 8,192 bits has 1,400), of a label, and bits of an RSA key. */
  sftpKeyCharsMax: 3_000,
  sftpLabelCharsMax: 100,
  sftpRsaBitsMin: 3_072,
  /** Characters of the reason for a match by hand. */
  matchReasonCharsMax: 200,
  /** Settlement files that one booking of a bank pays: those of a month. */
  assignedFilesMax: 31,
  /** A channel's name becomes part of descriptors, which have 127 characters. */
  nameCharsMax: 100,

  /** Lifetime of a token: enough for one use, and at most ten years. A token without a lifetime does not expire. */
  tokenLifetimeSecondsMin: 60,
  tokenLifetimeSecondsMax: 10 * 365 * DAY_SECONDS,
  /** How long an old token or webhook key stays valid after a rotation by default: a day to deploy the new one. */
  overlapSeconds: DAY_SECONDS,
  /** Longest overlap: two tokens or keys that are valid for more than a month are not a rotation. */
  overlapSecondsMax: 30 * DAY_SECONDS,

  /** Bytes of a certificate file: a chain of some ten certificates. */
  tlsFileBytesMax: 256 * 1024,
  /** How often the files of the certificate are read: they are small, and renewed long before it expires. */
  tlsCheckMs: 10_000,
  /** How long before the expiry of a certificate a warning is logged: automatic renewal has then failed for a week. */
  tlsWarningMs: 21 * DAY_MS,
  /** How often the warning is repeated. */
  tlsWarningEveryMs: DAY_MS,
  /** Entries of the list of trusted proxies: more than an operator maintains. */
  trustedProxiesMax: 100,

  /** A shorter management key can be guessed. */
  manageKeyCharsMin: 12,
  /** A port has 16 bits. */
  portMax: 65_535,
} as const
