import { limits } from '../limits.ts'
import { type Counter, createCounter, type Durations, type OperationCounts } from '@tollgate/operations'

/** Counters in plain numbers: every payment adds to them, and scrapes are rare. */
export interface Counts extends OperationCounts {
  /** operation, class of the HTTP status, result code */
  readonly requests: Counter
  /** operation */
  readonly requestTimes: Durations
  /** why */
  readonly rejected: Counter
  /** why a connection was ended early */
  readonly endedConnections: Counter
  /** kind, and whether it threw */
  readonly jobRuns: Counter
}

export const createCounts = (): Counts => ({
  requests: createCounter(),
  requestTimes: createDurations(),
  rejected: createCounter(),
  endedConnections: createCounter(),
  jobRuns: createCounter(),
  deliveries: createCounter(),
  deliveryTimes: createDurations(),
  warnings: 0,
})

/** The label for requests that never became an operation: their paths are arbitrary. */
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
      let found = byLabel.get(label)
      if (!found) byLabel.set(label, (found = { label, counts: [...bounds.map(() => 0), 0], sumMs: 0 }))
      let index = 0
      while (index < bounds.length && ms > (bounds[index] ?? 0)) index += 1
      found.counts[index] = (found.counts[index] ?? 0) + 1
      found.sumMs += ms
    },
    entries: () => [...byLabel.values()],
  }
}
