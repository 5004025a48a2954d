/** Bounds of the commands. */
export const limits = {
  /** For the gateway's answer to a command: it may wait 30 seconds for a webhook that is tested. */
  answerTimeoutMs: 35_000,
  /** Digits of a number of seconds: three hundred years. The gateway enforces the smaller limit of each field. */
  secondsDigitsMax: 10,
  /** Interval between two progress lines of a long command. */
  progressMs: 2000,
  /** Ports have 16 bits. */
  portMax: 65_535,
} as const
