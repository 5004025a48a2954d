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
  /** Tokens have as many digits as the cards that they stand for (EMV Payment Tokenisation), none of the shortest. */
  tokenLengthMin: 12,
  /** A card is good until its month has ended everywhere on Earth: at UTC−12, twelve hours after it ended in UTC. */
  cardExpiryToleranceMs: 12 * HOUR_MS,
  /** A date without a zone has come where it came first, at UTC+14, and is over where it ends last, at UTC−12. */
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
  /** Authorisations of an agreement that a charge looks back on: enough to find the last one that was approved. */
  historyMax: 100,
  /** The same where instalments are counted: 999 (three digits), or fewer and those that were declined. */
  installmentHistoryMax: 1_000,

  /** How late a run may be without counting as missed: Quartz allows it as much. */
  runLateMs: MINUTE_MS,
  /** Runs that are made up for at once after a long standstill: a year of months. */
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
  /** Time zones whose clocks stay at hand; there are some six hundred names, and each takes kilobytes. */
  timeZonesMax: 64,

  /**
   * Declined attempts of shoppers: on one checkout, and in an hour and channel of one card and of one address. A person
   * mistypes a few times; a thief who tries out stolen cards needs hundreds. Many shoppers may share an address.
   */
  declinesMax: { checkout: 10, card: 30, address: 60 },

  /** Spans in which the requests of a throttled window are counted: a place is free again a tenth late at most. */
  spansOfWindow: 10,

  /** Attempts of a delivery: the first, seven within two hours, and then 29 daily ones, the last within 30 days. */
  deliveryAttempts: 37,
  /** The part by which a wait between two of them is at most shorter or longer. */
  retryJitter: 0.1,
  /** The longest that an endpoint may put one off with Retry-After: it comes once a day at least. */
  retryAfterMaxMs: DAY_MS,
  /** Deliveries under way to one endpoint, until it has shown that it takes more: a dead one holds no more of them … */
  deliveriesAtFirst: 8,
  /** … and then: twice what is sent to one origin at once, since half of a delivery is reading and storing. */
  deliveriesAtMost: 64,
  /** Failures in a row after which an endpoint is left alone: fewer happen at every deployment. */
  breakerFailures: 5,
  /** For how long at first, and each time that it fails again twice as long, up to … */
  breakerMs: 30_000,
  breakerDoublings: 5,
  /** … this, so that an endpoint that is back is found soon. */
  breakerMaxMs: 10 * MINUTE_MS,
} as const

/** What an operator may set for payments. */
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
