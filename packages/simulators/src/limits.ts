/** Every bound of the simulators. They serve one developer, or one test, on one machine. */
export const limits = {
  /** A body: the longest is an authentication request of 3-D Secure with encrypted data of a device and extensions. */
  bodyBytesMax: 256 * 1024,
  /** Open connections: a browser takes six, a test a few dozen. */
  connectionsMax: 256,
  /** For the headers, and for the whole request, to arrive. */
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 20_000,
  /** Lifetime of an idle connection. */
  keepAliveTimeoutMs: 5_000,
  /** Lifetime of a connection without any bytes: longer than any gateway waits for an answer. */
  silenceMs: 60_000,

  /** Interval of the check for due work: after the clock was put forward a person waits no longer than that. */
  tickMs: 200,
  /** Payments that banks and wallets keep; the oldest is dropped first. */
  bankPaymentsMax: 2_000,
  /** Captures, increases, reversals and refunds of one payment: 98 captures and a refund of each. */
  operationsMax: 200,
  /** Characters of a text that only fills in a page: more than any parameter of a gateway has. */
  hintCharsMax: 1024,
  /** The longest that a payment stays pending by a shopper's choice: a week, as vouchers do. */
  pendingMinutesMax: 7 * 24 * 60,
  /** Calls that wait to be sent; the oldest is dropped first. */
  callsMax: 10_000,
  /** Calls in progress. */
  callsTogether: 16,
  /** For the answer to a call. */
  callTimeoutMs: 10_000,

  /** Challenges, ended ones among them; the oldest is dropped first. */
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
} as const
