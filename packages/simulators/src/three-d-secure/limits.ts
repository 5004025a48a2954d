/** Bounds of the scheme's side. What a transaction keeps is a few hundred bytes. */
export const limits = {
  /** The longest message of a 3DS server, base64url in a form. */
  bodyBytesMax: 400_000,
  /** A form has a handful of fields. */
  formFieldsMax: 20,
  /** "threeDSSessionData", EMV 3-D Secure. */
  sessionDataCharsMax: 1_024,
  /** Challenges that are under way or were; a busy test suite has some hundred a second. The oldest make room. */
  sessionsMax: 10_000,
  /** "Challenge limit 10 min": from the answer to the challenge, and from the challenge to its end. */
  challengeMs: 600_000,
  /** How long an issuer takes to reach its cardholder. */
  decoupledMs: 30_000,
  /** An ended one answers once more, to a browser that went back or reloaded. */
  endedMs: 900_000,
  /** Wrong passwords, the third ends the challenge. */
  triesMax: 3,
  /** Attempts to deliver a result: the other side may be starting. */
  resultAttemptsMax: 3,
} as const
