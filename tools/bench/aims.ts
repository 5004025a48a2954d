/** The aim of a figure on 2 cores, and the value that is required. */
export interface Aim {
  readonly aim: number
  readonly required: number
  readonly better: 'higher' | 'lower'
}

export const aims = {
  /** Durable payments per second ÷ requests per second of bare Fastify. */
  fastifyRatio: { aim: 0.5, required: 0.4, better: 'higher' },
  /** Processor time of all threads ÷ that of bare Fastify. */
  cpuRatio: { aim: 2.5, required: 3, better: 'lower' },
  /** p99 ÷ mean of the latencies. */
  p99Ratio: { aim: 2, required: 2.2, better: 'lower' },
  p99Ms: { aim: 25, required: 50, better: 'lower' },
  /** Payments per second on PostgreSQL ÷ transactions per second of pgbench. */
  postgresRatio: { aim: 2, required: 1, better: 'higher' },
  bytesPerPayment: { aim: 1000, required: 1400, better: 'lower' },
  /** p99 of payments while partitions change ÷ p99 without. */
  partitionsRatio: { aim: 1.2, required: 1.3, better: 'lower' },
  /** Rate with many stored payments ÷ rate with few. */
  storedRatio: { aim: 0.9, required: 0.7, better: 'higher' },
  /** The same with 20 million on PostgreSQL. */
  vastRatio: { aim: 0.9, required: 0.8, better: 'higher' },
  /** Figures of the last quarter of a long run ÷ those of its second quarter. */
  p99Drift: { aim: 1.2, required: 1.5, better: 'lower' },
  memoryDrift: { aim: 1.1, required: 1.3, better: 'lower' },
  bytesDrift: { aim: 1.1, required: 1.2, better: 'lower' },
  postedPerSecond: { aim: 20_000, required: 20_000, better: 'higher' },
  ledgerBytes: { aim: 400, required: 400, better: 'lower' },
  importedPerSecond: { aim: 10_000, required: 10_000, better: 'higher' },
  exportedPerSecond: { aim: 100_000, required: 50_000, better: 'higher' },
  /** Resident memory at the end of the export of a year ÷ after a tenth of it. */
  exportMemoryRatio: { aim: 1.1, required: 1.3, better: 'lower' },
  statementMs: { aim: 300, required: 300, better: 'lower' },
  /** p99 of payments beside posting, import and export ÷ p99 without. */
  moneyP99Ratio: { aim: 1.2, required: 1.3, better: 'lower' },
  queryP99Ms: { aim: 5, required: 10, better: 'lower' },
  queryPageMs: { aim: 30, required: 60, better: 'lower' },
  firstPaymentMs: { aim: 2000, required: 5000, better: 'lower' },
  /** Payments per second at a host across a network ÷ in the process. */
  hostRatio: { aim: 0.55, required: 0.4, better: 'higher' },
  upstreamRatio: { aim: 0.4, required: 0.3, better: 'higher' },
  /** Payments per second at a host that answers after a second. */
  slowHostPerSecond: { aim: 600, required: 500, better: 'higher' },
  residentMb: { aim: 250, required: 500, better: 'lower' },
  deliveriesPerSecond: { aim: 3000, required: 2000, better: 'higher' },
  lagP99Ms: { aim: 1000, required: 2000, better: 'lower' },
  loaderKb: { aim: 6, required: 6, better: 'lower' },
  frameKb: { aim: 35, required: 35, better: 'lower' },
  healthyLagRatio: { aim: 1.2, required: 1.5, better: 'lower' },
} as const satisfies Record<string, Aim>

/** Compares a figure with its aim, as a remark for the reader: it does not affect the exit status. */
export function assess(
  value: number,
  { aim, required, better }: Aim,
): 'aim met' | 'requirement met' | 'requirement missed' {
  const reaches = (bound: number) => (better === 'higher' ? value >= bound : value <= bound)
  if (reaches(aim)) return 'aim met'
  return reaches(required) ? 'requirement met' : 'requirement missed'
}
