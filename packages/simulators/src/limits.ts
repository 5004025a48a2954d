import { MINUTE_MS } from '@tollgate/contract'

/** Every bound of the simulators and the shop. They serve one developer, or one test, on one machine. */
export const limits = {
  /** A body: the longest is an authentication request of 3-D Secure with encrypted data of a device and extensions. */
  bodyBytesMax: 256 * 1024,
  /** A request line, with an address of 2048 characters in its query. */
  pathCharsMax: 8 * 1024,
  /** Open connections: a browser takes six, a test a few dozen. */
  connectionsMax: 256,
  /** For the headers, and for the whole request, to arrive. */
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 20_000,
  /** How long an idle connection is kept. */
  keepAliveTimeoutMs: 5_000,
  /** How long nothing may happen on a connection: longer than any gateway waits for an answer. */
  silenceMs: MINUTE_MS,
  /** How long requests under way have when everything ends. */
  drainTimeoutMs: 5_000,

  /** How often it is looked what is due by the clock: a person waits no longer than that after it was put forward. */
  tickMs: 200,
  /** Payments that banks and wallets remember; the oldest is forgotten first. */
  bankPaymentsMax: 2_000,
  /** Captures, increases, reversals and refunds of one payment: 98 captures and a refund of each. */
  operationsMax: 200,
  /** Characters of a text that only fills in a page: more than any parameter of a gateway has. */
  hintCharsMax: 1024,
  /** The longest that a payment stays pending by a shopper's choice: a week, as vouchers do. */
  pendingMinutesMax: 7 * 24 * 60,
  /** Calls that wait to be sent; the oldest is dropped first. */
  callsMax: 10_000,
  /** Calls that are under way at once. */
  callsTogether: 16,
  /** For the answer to a call. */
  callTimeoutMs: 10_000,

  /** Challenges that are under way or were; the oldest is forgotten first. */
  challengesMax: 10_000,
  /** "Challenge limit 10 min": from the answer to the challenge, and from the challenge to its end. */
  challengeMs: 600_000,
  /** How long an issuer takes to reach its cardholder by itself. */
  decoupledMs: 30_000,
  /** An ended challenge answers once more, to a browser that went back or reloaded. */
  endedChallengeMs: 900_000,
  /** Wrong passwords; the third ends the challenge. */
  passwordsMax: 3,
  /** Attempts to deliver the result of a challenge: the other side may be starting. */
  resultAttemptsMax: 3,
  /** "threeDSSessionData", EMV 3-D Secure. */
  sessionDataCharsMax: 1_024,

  /** Visitors that the shop remembers, and orders of all of them; the oldest is forgotten first. */
  visitorsMax: 1_000,
  ordersMax: 5_000,
  /** Of one product in a cart. */
  quantityMax: 99,
  /** Stored cards, and subscriptions, of one customer. */
  storedCardsMax: 5,
  subscriptionsMax: 5,
  /** For the gateway's answer: it may wait for an acquirer. */
  gatewayTimeoutMs: 40_000,
  /** Between two reads of one status: two a minute are allowed. */
  statusReadEveryMs: 31_000,
} as const
