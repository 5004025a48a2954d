/** The bounds of the simulators, which serve one developer or one test on one machine. */
export const limits = {
  /**
   * Bytes of a body: the longest is an authentication request of 3-D Secure with encrypted data of a device and
   * extensions.
   */
  bodyBytesMax: 256 * 1024,
  /** Open connections: a browser opens six, and a test opens a few dozen. */
  connectionsMax: 256,
  /** Time for the headers of a request to arrive. */
  headersTimeoutMs: 10_000,
  /** Time for a whole request to arrive. */
  requestTimeoutMs: 20_000,
  /** Lifetime of an idle connection. */
  keepAliveTimeoutMs: 5_000,
  /** Time after which a connection without traffic is closed: longer than any gateway waits for an answer. */
  inactivityTimeoutMs: 60_000,

  /** Interval of the check for due tasks: the longest delay of such a task after the clock is advanced. */
  tickMs: 200,
  /** Stored payments, agreements and withdrawn references of banks; the oldest of each is dropped first. */
  bankPaymentsMax: 2_000,
  /** Captures, increases, reversals and refunds of one payment: 98 captures and a refund of each. */
  operationsMax: 200,
  /** Characters of an optional detail of an order: more than any parameter of a gateway has. */
  detailCharsMax: 1024,
  /** The longest time that a shopper can choose for a pending payment: a week, as for vouchers. */
  pendingMinutesMax: 7 * 24 * 60,
  /** Outgoing calls of banks that wait to be sent; the oldest is dropped first. */
  callsMax: 10_000,
  /** Outgoing calls in progress. */
  callsInProgressMax: 16,
  /** Time for the answer to an outgoing call. */
  callTimeoutMs: 10_000,

  /** Sessions of the ACS, including ended ones; the oldest is dropped first. */
  challengesMax: 10_000,
  /** "Challenge limit 10 min": from the ARes to the CReq, and from the CReq to the result. */
  challengeMs: 600_000,
  /** Time until an issuer has authenticated its cardholder in a decoupled authentication. */
  decoupledMs: 30_000,
  /** Time for which an ended session is kept, for a browser that goes back or reloads. */
  endedChallengeMs: 900_000,
  /** Wrong passwords in a challenge. The third ends the challenge. */
  passwordsMax: 3,
  /** Attempts to deliver the result of a challenge: the 3DS server may be starting. */
  resultAttemptsMax: 3,
  /** Characters of `threeDSSessionData`, by EMV 3-D Secure. */
  sessionDataCharsMax: 1_024,

  /** Connections to the acquirer's host: a gateway opens a few, and a test a few dozen. */
  acquirerConnectionsMax: 256,
  /** Time after which a connection to the host without traffic is closed: links echo every 60 to 120 seconds. */
  acquirerIdleMs: 600_000,
  /** Time for a TLS handshake with the host. */
  acquirerHandshakeMs: 10_000,
  /** Messages of one connection whose answers have not left. More than a gateway has in flight on one connection. */
  acquirerInFlightMax: 2_000,
  /** Answers in bytes that a connection has not read. A client that reads nothing is disconnected. */
  acquirerUnreadBytesMax: 4 * 1024 * 1024,
  /** Transactions, and answers for repeats, that the host remembers; the oldest of each is dropped first. */
  acquirerTransactionsMax: 100_000,
  /** Balances of cards that the host remembers; the oldest is dropped first, and then has its initial amount again. */
  acquirerAccountsMax: 100_000,
  /** Reversals that arrived before their original; the oldest is dropped first. */
  acquirerEarlyReversalsMax: 10_000,
  /** Open batches: one for each merchant, terminal and currency; the oldest is dropped first. */
  acquirerBatchesMax: 10_000,
  /** Closed batches that the view shows; the oldest is dropped first. */
  acquirerClosedBatchesMax: 1_000,
  /** Postings, fees and chargebacks that the host stores for its settlement files; the oldest is dropped first. */
  acquirerBookingsMax: 200_000,
  /** Open chargebacks; the oldest is dropped first. */
  acquirerChargebacksMax: 10_000,
  /** Settlement files that are written into a folder at one tick. */
  acquirerFilesMax: 31,
  /** Time until a settlement file that could not be written is tried again. */
  acquirerFileRetryMs: 60_000,
  /** Bytes of a clearing file: a hundred thousand presentments. */
  acquirerClearingBytesMax: 20 * 1024 * 1024,
  /** Rows in one answer of a view, if the query states no limit. */
  acquirerRowsMax: 1_000,
  /** Transactions in one answer, if the query asks for them: a load of a test with its follow-ups; 5 MB. */
  acquirerTransactionRowsMax: 10_000,
  /** Faults that are set at the same time. */
  acquirerFaultsMax: 50,
  /** The longest delay that a fault can have: longer than any gateway waits for an answer. */
  acquirerFaultMsMax: 600_000,
  /** The largest number of messages, pieces or bytes that a fault can name. */
  acquirerFaultCountMax: 1_000_000,
  /** Answers that wait for a reversal of their request; the oldest is dropped first. */
  acquirerHeldAnswersMax: 1_000,
  /** Bytes of the journal, some million messages; the host then declines everything, since it cannot remember it. */
  acquirerJournalBytesMax: 1024 * 1024 * 1024,
  /** Bytes that clients of the SFTP server can store until it is restarted. */
  sftpBytesMax: 1024 * 1024 * 1024,
  /** Digits of a card number, by ISO/IEC 7812. */
  cardDigitsMin: 12,
  cardDigitsMax: 19,
} as const
