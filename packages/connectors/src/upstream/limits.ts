import { SECOND_MS } from '@tollgate/contract'

/** Bounds of the upstream connector. */
export const limits = {
  /**
   * Age of a request from which on its absence in a query is final. "API worst case < 60 s" (domain, Timeout), and half
   * a minute for its transmission, which has ended with the connection.
   */
  absentAfterMs: 90 * SECOND_MS,
  /** Transactions under one reference in the answer to a query: "limit: default 100" (contract, Limits). */
  paymentsOfReferenceMax: 100,
  /** Members of `resultDetails` that are read. */
  detailsMax: 50,
  /** Names of refused parameters that a decline repeats. */
  wrongParametersMax: 10,
  /** Characters of other texts of an answer, such as its description. */
  textCharsMax: 255,
  /** "redirect.url: 6 to 2048 chars" (contract, Redirect fields). */
  urlCharsMax: 2048,
  /** Parameters of a redirect. A form of an issuer or bank has a few. */
  redirectParametersMax: 100,
  /** Characters of a parameter: a message to an issuer is longer than the 255 characters of the contract. */
  redirectValueCharsMax: 16 * 1024,
  /** Forms that a browser submits before the redirect. */
  preconditionsMax: 5,
  /** Bytes of a decrypted notification: more than an answer about one payment has. */
  notificationBytesMax: 128 * 1024,
  /** Characters around the encrypted text: `{"encryptedBody":""}` and blanks. */
  notificationWrapperCharsMax: 100,
} as const
