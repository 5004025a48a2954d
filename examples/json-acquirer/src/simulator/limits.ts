/** The bounds of the simulator, which serves one test. */
export const limits = {
  /** Bytes of a body: far more than a payment. */
  bodyBytesMax: 16 * 1024,
  /** Transactions and cancelled ids in memory; above it every request is refused. */
  transactionsMax: 10_000,
} as const
