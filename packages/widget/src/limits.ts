/** Bounds of the widget: what it waits for, and what its two sides take of each other. */
export const limits = {
  /** A frame that is not ready by then is slow, and the form says so. */
  frameSlowMs: 8_000,
  /** Once loaded, a frame is ready within milliseconds. One that is not has an error page in its place. */
  frameReadyMs: 3_000,
  /** Pauses before form.js, or a frame that has failed, is loaded again without being asked to. */
  loadPausesMs: [1_000, 5_000],
  /** A failure is shown in English if the texts of the service have not arrived by then. */
  textsMs: 2_000,
  /** The longest wait for the style sheet before the form is drawn without it. */
  styleMs: 5_000,
  /** An acquirer and an issuer answer in seconds; whoever waits for longer has lost the answer. */
  submitMs: 60_000,
  /** Pauses between questions for what became of a payment: two minutes in all, then the shop has to say. */
  questionPausesMs: [1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000],
  /** Interval of polling for a payment that waits for its shopper, who may confirm it elsewhere. */
  waitingPauseMs: 5_000,
  /** As many as fit into the 30 minutes of a checkout. */
  waitingQuestionsMax: 360,
  /** A bank's page that has not loaded by then can be begun again. */
  challengeHelpMs: 15_000,
  /** Answers in a row that nothing was paid: at the first, the request may still have been on its way. */
  openAnswersWanted: 2,
  /** Parameters that a page may hand over with a payment: an address, a customer and some of its own. */
  parametersMax: 100,
  /** "customParameters[name]: value 0 to 2048 chars"; nothing else that a shopper sends is longer. */
  valueCharsMax: 2_048,
  /** A list of fonts is the longest value of a style. */
  styleCharsMax: 200,
  /** The longest card number (ISO/IEC 7812-1). */
  cardNumberDigitsMax: 19,
} as const
