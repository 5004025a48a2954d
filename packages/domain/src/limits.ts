import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tollgate/contract'

/** The bounds of the rules. */
export const limits = {
  /**
   * Bound of one amount, and of the authorised total and the total of all charges of one payment: it permits ten digits
   * before the dot in every currency, and sums over a tree of transactions are safe integers.
   */
  amountMinorMax: 999_999_999_999_999,
  /** Card numbers (ISO/IEC 7812): an issuer's six digits, an account, a check digit. */
  cardNumberLengthMin: 8,
  cardNumberLengthMax: 19,
  /** Tokens have the lengths of card numbers (EMV Payment Tokenisation), except the shortest lengths. */
  tokenLengthMin: 12,
  /** A card is valid until its month has ended everywhere on Earth: at UTC−12, twelve hours after it ended in UTC. */
  cardExpiryToleranceMs: 12 * HOUR_MS,
  /** The largest offsets of time zones: a date without a time zone begins at UTC+14 and ends at UTC−12. */
  utcAheadMaxMs: 14 * HOUR_MS,
  utcBehindMaxMs: 12 * HOUR_MS,
  /** "numberOfCaptures | 1 to 98" (contract, Limits): clearing counts in two digits, and one number is reserved. */
  capturesMax: 98,
  /** "risk.score | range -99999 to +99999" (contract, Response fields). */
  riskScoreMax: 99_999,

  /**
   * Months for which account data is kept after the expiry of its card or its last use: a year for disputes of the last
   * payment, and two months in reserve; and the months for an extended registration (TE).
   */
  retentionMonths: 14,
  extendedRetentionMonths: 24,
  /**
   * Period after a decline for lack of funds in which RESUBMISSION is possible, and period after the first payment in
   * which REAUTHORIZATION and DELAYED_CHARGES are possible.
   */
  resubmissionMs: 14 * DAY_MS,
  lateChargeMs: 30 * DAY_MS,
  /** Earlier payments of an agreement that a decision reads to find the last approved payment. */
  historyMax: 100,
  /** The same for instalments: up to 999 (three digits), declined instalments included. */
  installmentHistoryMax: 1_000,

  /**
   * Time after which a terminal may use the number of an offline sale again: no network accepts an older sale, and a
   * terminal that has counted to its highest number begins again.
   */
  offlineSaleUniqueMs: 90 * DAY_MS,

  /** Longest delay of a run that does not count as missed, as in Quartz. */
  runLateMs: MINUTE_MS,
  /** Missed runs that are made up for at once (missedRuns: ALL): a year of monthly runs. */
  missedRunsMax: 12,
  /** Attempts at one run, and the days in which they are made: domain notes, 2.6, "up to 5 attempts in 20 days". */
  runAttemptsMax: 5,
  runAttemptsDays: 20,
  /** Characters of the name of a delivered file: with those of its temporary name at most 255, which all disks take. */
  fileNameCharsMax: 128,
  /** A hundred years in each unit: no plan lasts longer, so a longer notice or duration is a mistake. */
  spanMax: {
    YEAR: 100,
    MONTH: 1_200,
    WEEK: 5_200,
    DAY: 36_500,
    HOUR: 876_000,
    MINUTE: 52_560_000,
    SECOND: 3_153_600_000,
  },
  /** Cached formatters of time zones: there are some six hundred names, and each formatter takes kilobytes. */
  timeZonesMax: 64,

  /**
   * Maximum numbers of declined attempts: on one checkout; and with one card or from one IP address, in an hour on one
   * channel. A person who mistypes stays below these bounds; card testing, which takes hundreds of attempts, does not.
   * The bound of an address is the highest, because many shoppers may share an address.
   */
  declinesMax: { checkout: 10, card: 30, address: 60 },

  /**
   * Buckets into which the window of a rate limit is divided, each with one count: a request stops counting at most a
   * tenth of the window late.
   */
  bucketsPerWindow: 10,

  /** Connectors at which one payment is tried: the shopper waits for all attempts. */
  routeAttemptsMax: 3,

  /**
   * Retries with a card at a merchant after its issuer has declined, and the days in which they are counted, unless the
   * table of networks permits fewer: domain notes, 2.6, "up to 15, newer 20, retries in 30 days".
   */
  retriesMax: 20,
  retryWindowDays: 30,
  retryWindowMs: 30 * DAY_MS,
  /** Declines of a card that are kept: the first, and as many retries as any network permits. */
  declinesKept: 21,

  /**
   * Days from a transaction to its row in a settlement file; rows may be dated earlier, in the zone of the institute.
   * Chargebacks without the time of their transaction may follow as late as card networks permit (domain notes, 4.5
   * and 4.6).
   */
  settlementDaysBefore: 3,
  settlementDaysAfter: 30,
  disputeDaysAfter: 540,
  /**
   * Time after which a transaction is in a settlement file at the earliest: files are made after the end of a business
   * day. The ledger is rarely as far behind, so that rows seldom wait for it.
   */
  settledAfterMs: 30 * MINUTE_MS,
  /** Difference in time by which the nearest of several transactions must be nearer than the next. */
  nearestTransactionMs: 60_000,
  /** Difference of an amount that was converted: minor units, or parts per thousand if that is more. */
  convertedMinorMax: 1,
  convertedPerMilleMax: 5,
  /** Ids of transactions between which the matching of a row cannot decide; the record lists as many. */
  matchesMax: 100,
  /** Days after which a row without its transaction is reported as a break. */
  breakAfterDays: 5,

  /** Attempts of a delivery: the first, seven in about two hours, then 29 daily ones, the last after about 29 days. */
  deliveryAttempts: 37,
  /** Largest relative variation of a wait. */
  retryJitter: 0.1,
  /** Longest wait that a Retry-After of an endpoint can cause; a longer Retry-After is shortened to it. */
  retryAfterMaxMs: DAY_MS,
  /** Concurrent deliveries to an endpoint at first: an unreachable endpoint occupies no more. */
  concurrentDeliveriesInitial: 8,
  /** Maximum of concurrent deliveries: twice the connections to an origin, as half of a delivery is database access. */
  concurrentDeliveriesMax: 64,
  /** Consecutive failures that open the breaker: each deployment of an endpoint may cause fewer. */
  breakerFailures: 5,
  /** Time for which the breaker opens first, and the number of times that failed probes double it. */
  breakerMs: 30_000,
  breakerDoublings: 5,
  /** Longest time for which the breaker opens, so that deliveries to a recovered endpoint resume soon. */
  breakerMaxMs: 10 * MINUTE_MS,
} as const

/** Limits of referencing requests. The channel's setting `clearingCutOffHours` replaces `clearingCutOffMs`. */
export interface PaymentLimits {
  /** Transactions in one tree, including refused transactions. */
  readonly treeTransactionsMax: number
  /** Age of a payment's newest transaction up to which an operation can refer to the payment. */
  readonly followUpWindowMs: number
  /** Age up to which a debit, capture, payout, rebill or receipt can be refunded. */
  readonly refundWindowMs: number
  /** Age up to which a debit, capture or rebill can be reversed, because it has not been sent for clearing yet. */
  readonly clearingCutOffMs: number
}

export const paymentLimits: PaymentLimits = {
  treeTransactionsMax: 200,
  // The longest time in which a card network permits a dispute.
  followUpWindowMs: 540 * DAY_MS,
  refundWindowMs: 365 * DAY_MS,
  clearingCutOffMs: DAY_MS,
}
