/** Bounds of the commands. */
export const limits = {
  /** Time for the gateway's answer to a command. A test of a webhook may take 30 seconds. */
  answerTimeoutMs: 35_000,
  /** Digits of a number of seconds: ten digits are three hundred years. The gateway enforces the limits of fields. */
  secondsDigitsMax: 10,
  /** Interval between two progress lines of a long command. */
  progressIntervalMs: 2000,
  /** Ports have 16 bits. */
  portMax: 65_535,
} as const
