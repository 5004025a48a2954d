/** Bounds of the commands. */
export const limits = {
  /** For the gateway's answer to a command: it may wait 30 seconds for a webhook that is tested. */
  answerTimeoutMs: 35_000,
  /** Digits of a number of seconds: three hundred years. What is too much is the gateway's to say. */
  secondsDigitsMax: 10,
  /** Between two lines that tell how far a long command is. */
  progressMs: 2000,
  /** Ports have 16 bits. */
  portMax: 65_535,
} as const
