/** Bounds of the widget: its timeouts, its retries and the size of its messages. */
export const limits = {
  /** A frame that is not ready after this time is reported as slow. */
  frameSlowMs: 8_000,
  /**
   * A frame that has loaded, but is not ready after this time, has loaded an error page instead of the field. Most
   * fields are ready in milliseconds.
   */
  frameReadyMs: 3_000,
  /** Pauses before the automatic reloads of form.js or of a failed frame. */
  loadPausesMs: [1_000, 5_000],
  /** A failure is shown in English if the texts of the gateway have not arrived after this time. */
  textsMs: 2_000,
  /** The longest wait for the style sheet before the form is drawn without it. */
  styleMs: 5_000,
  /** Acquirers and issuers answer within seconds; after this time the answer counts as lost. */
  submitMs: 60_000,
  /**
   * Pauses between requests for the state of a checkout while the gateway cannot be reached, or after the answer to a
   * payment was lost: two minutes in total.
   */
  pollPausesMs: [1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000],
  /** Interval of polling for a payment that the shopper confirms outside of the page, such as in an app. */
  waitingPauseMs: 5_000,
  /** The number of polls in the 30 minutes of a checkout. */
  waitingPollsMax: 360,
  /** "Wait max 10 s" for the 3DS method to complete (EMV 3-D Secure, threeDSMethod). */
  threeDSMethodMs: 10_000,
  /** Interval at which a waiting page polls the state of the authentication, and the timeout of each poll. */
  authenticationPollMs: 5_000,
  /** After this time the shopper can restart the bank's page, because it may have failed to load. */
  challengeHelpMs: 15_000,
  /**
   * The shopper may pay again after this number of consecutive answers that no payment exists. After a single answer
   * the lost request may still be in transit.
   */
  openAnswersMin: 2,
  /** Parameters that a page can add to a payment: an address, a customer and some custom parameters. */
  parametersMax: 100,
  /** "customParameters[name]: value 0 to 2048 chars"; no other parameter of a page is longer. */
  valueCharsMax: 2_048,
  /** Characters of the value of a style property: sufficient for a list of fonts, the longest of these values. */
  styleCharsMax: 200,
  /** The longest card number (ISO/IEC 7812-1). */
  cardNumberDigitsMax: 19,
} as const
