/** Bounds of the commands. */
export const limits = {
  /** For the gateway's answer to a command: well above what a busy disk takes, below what one waits for in silence. */
  answerTimeoutMs: 15_000,
  /** Digits of a number of seconds: three hundred years. What is too much is the gateway's to say. */
  secondsDigitsMax: 10,
} as const
