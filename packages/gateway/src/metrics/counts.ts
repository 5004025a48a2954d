import { limits } from '../limits.ts'
import { type Counter, createCounter, type Durations, type OperationCounts } from '@tollgate/operations'

/** The counters are plain numbers, because payments increment them far more often than scrapes read them. */
export interface Counts extends OperationCounts {
  /** Requests, by operation, class of the HTTP status and result code. */
  readonly requests: Counter
  /** The durations of requests, by operation. */
  readonly requestTimes: Durations
  /** Rejected requests, by reason. */
  readonly rejected: Counter
  /** Connections that were closed early, by reason. */
  readonly endedConnections: Counter
  /** Runs of jobs, by kind and outcome. */
  readonly jobRuns: Counter
  /** Messages to acquirers, by account, message type and outcome. */
  readonly acquirerMessages: Counter
  /** The times until the answers of acquirers, by account. */
  readonly acquirerTimes: Durations
  /** Whether each link of an account is ready, by account. */
  readonly acquirerLinks: Map<string, () => readonly boolean[]>
}

export const createCounts = (): Counts => ({
  requests: createCounter(),
  requestTimes: createDurations(),
  rejected: createCounter(),
  endedConnections: createCounter(),
  jobRuns: createCounter(),
  acquirerMessages: createCounter(),
  acquirerTimes: createDurations(),
  acquirerLinks: new Map(),
  deliveries: createCounter(),
  deliveryTimes: createDurations(),
  expiryWarnings: 0,
})

/** The label of requests without an operation. Their paths are arbitrary, and each would begin a series of its own. */
export const NO_OPERATION = 'none'

export function httpClassOf(status: number): string {
  if (status < 400) return '2xx'
  return status < 500 ? '4xx' : '5xx'
}

function createDurations(): Durations {
  const bounds: readonly number[] = limits.durationBoundsMs
  const byLabel = new Map<string, { readonly label: string; readonly counts: number[]; sumMs: number }>()
  return {
    add(label, ms) {
      let durations = byLabel.get(label)
      if (!durations) byLabel.set(label, (durations = { label, counts: [...bounds.map(() => 0), 0], sumMs: 0 }))
      let index = 0
      while (index < bounds.length && ms > (bounds[index] ?? 0)) index += 1
      durations.counts[index] = (durations.counts[index] ?? 0) + 1
      durations.sumMs += ms
    },
    entries: () => [...byLabel.values()],
  }
}
