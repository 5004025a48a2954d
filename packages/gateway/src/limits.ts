/** Every bound of the running service, in one place. */
export const limits = {
  /** A request's body. 1,000 cart items with every text at a usual length stay below. */
  bodyBytesMax: 2 * 1024 * 1024,
  /** All bodies that are being read, together: room for a hundred of the largest, or for every usual one. */
  bodiesBytesMax: 200 * 1024 * 1024,
  /** Requests being worked on at once; above it the answer is 800.120.100 instead of an endless queue. */
  inFlightMax: 1_000,
  /** Units waiting for their commit; above it likewise. */
  commitDepthMax: 2_000,
  connectionsMax: 10_000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveTimeoutMs: 65_000,
  /** How long a stopping process may be told to go on for its balancer: several checks of the slowest of those. */
  drainDelaySecondsMax: 300,
  /** How long a stopping process waits for requests under way. */
  drainTimeoutMs: 20_000,
  /** How often it looks for connections on which nothing is under way: time for what was sent to be read. */
  drainSweepMs: 500,
  /** How often a unit that lost its version race is decided again. */
  decisionsMax: 5,
  retryAfterSeconds: 1,
  idempotencyKeyCharsMax: 255,
  /** Lines of the log are handed over in blocks of about this size: some 40 payments. */
  logBlockChars: 8 * 1024,
  /** How long a line may wait for its block to fill. */
  logFlushMs: 500,
  /** Lines that wait for a slow reader of standard output; what comes on top is dropped. */
  logWaitingBytes: 16 * 1024 * 1024,
  manageBodyBytesMax: 256 * 1024,
  listMax: 500,
} as const
