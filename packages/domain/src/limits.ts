import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tollgate/contract'

/** Every bound of the rules, in one place. */
export const limits = {
  /**
   * One amount, and the authorised total of one payment: ten digits before the dot in any currency, and no sum over a
   * tree of transactions leaves the safe integers.
   */
  amountMinorMax: 999_999_999_999_999,
  /** Card numbers (ISO/IEC 7812): an issuer's six digits, an account, a check digit. */
  cardNumberLengthMin: 8,
  cardNumberLengthMax: 19,
  /** Tokens have the length of card numbers (EMV Payment Tokenisation), but not of the shortest. */
  tokenLengthMin: 12,
  /** A card is good until its month has ended everywhere on Earth: at UTC−12, twelve hours after it ended in UTC. */
  cardExpiryToleranceMs: 12 * HOUR_MS,
  /** A date without a time zone begins at UTC+14 and ends at UTC−12. */
  dateAheadMs: 14 * HOUR_MS,
  dateBehindMs: 12 * HOUR_MS,
  /** "numberOfCaptures | 1 to 98" (contract, Limits): clearing counts in two digits and needs room for one more. */
  capturesMax: 98,
  /** "risk.score | range -99999 to +99999" (contract, Response fields). */
  riskScoreMax: 99_999,

  /**
   * How long account data is kept once its card has ended or it is no longer used: a year for disputes of the last
   * payment, and some room; and that of a registration, extended (TE).
   */
  retentionMonths: 14,
  extendedRetentionMonths: 24,
  /** How long a payment that was declined for lack of funds may be repeated; how late a charge may follow a stay. */
  resubmissionMs: 14 * DAY_MS,
  lateChargeMs: 30 * DAY_MS,
  /** Earlier payments of an agreement that a decision reads: enough to find the last approved one. */
  historyMax: 100,
  /** The same for instalments: up to 999 (three digits), declined ones included. */
  installmentHistoryMax: 1_000,

  /** Delay from which a run counts as missed, as in Quartz. */
  runLateMs: MINUTE_MS,
  /** Missed runs that are caught up on at once (missedRuns: ALL): a year of months. */
  missedRunsMax: 12,
  /** Attempts at one run, and the days for which they go on: domain notes, 2.6, "up to 5 attempts in 20 days". */
  runAttemptsMax: 5,
  runAttemptsDays: 20,
  /** A hundred years in each unit: more than any plan lives. A longer notice or duration is a mistake. */
  spanMax: {
    YEAR: 100,
    MONTH: 1_200,
    WEEK: 5_200,
    DAY: 36_500,
    HOUR: 876_000,
    MINUTE: 52_560_000,
    SECOND: 3_153_600_000,
  },
  /** Cached clocks of time zones: there are some six hundred names, and each clock takes kilobytes. */
  timeZonesMax: 64,

  /**
   * Declined attempts of shoppers: on one checkout, and in an hour and channel of one card and of one address. A person
   * mistypes a few times, card testing takes hundreds of attempts, and many shoppers may share an address.
   */
  declinesMax: { checkout: 10, card: 30, address: 60 },

  /**
   * Spans that the requests of a rate limit's window are counted in: a request leaves the count a tenth late at most.
   */
  spansOfWindow: 10,

  /** Attempts of a delivery: the first, seven within two hours, and then 29 daily ones, the last within 30 days. */
  deliveryAttempts: 37,
  /** Largest relative variation of a wait. */
  retryJitter: 0.1,
  /** Longest accepted Retry-After of an endpoint: there is an attempt every day. */
  retryAfterMaxMs: DAY_MS,
  /** Concurrent deliveries to an endpoint at first: a dead one occupies no more … */
  deliveriesAtFirst: 8,
  /** … and at most: twice the connections to one origin, because half of a delivery is reading and storing. */
  deliveriesAtMost: 64,
  /** Consecutive failures that open the breaker: fewer happen in every deployment. */
  breakerFailures: 5,
  /** How long it stays open: doubled after each failed probe, up to … */
  breakerMs: 30_000,
  breakerDoublings: 5,
  /** … this, so that a recovered endpoint is noticed soon. */
  breakerMaxMs: 10 * MINUTE_MS,
} as const

/** Limits that an operator may set for payments. */
export interface PaymentLimits {
  /** Transactions in one tree, refused ones included. */
  readonly treeTransactionsMax: number
  /** Age up to which a debit, capture or payout can be refunded. */
  readonly refundWindowMs: number
  /** Age up to which a debit or capture can be reversed, because it has not been sent for clearing yet. */
  readonly clearingCutOffMs: number
}

export const paymentLimits: PaymentLimits = {
  treeTransactionsMax: 200,
  refundWindowMs: 365 * DAY_MS,
  clearingCutOffMs: DAY_MS,
}
