const STEPS_PER_MS = 10
const MS_MAX = 20_000

/**
 * A histogram of latencies in steps of a tenth of a millisecond up to 20 seconds; longer latencies are in the last
 * step. Its size does not depend on the number of latencies.
 */
export interface Latencies {
  add(ms: number): void
  figures(): LatencyFigures
}

/**
 * The count of latencies, their median, 99th percentile and maximum, which are null if the count is 0. The percentiles
 * are rounded up to a step; the maximum is exact.
 */
export interface LatencyFigures {
  readonly count: number
  readonly p50Ms: number | null
  readonly p99Ms: number | null
  readonly maxMs: number | null
}

export function createLatencies(): Latencies {
  const counts = new Uint32Array(MS_MAX * STEPS_PER_MS + 1)
  let count = 0
  let maxMs: number | null = null

  function percentileMs(share: number): number | null {
    let remaining = Math.ceil(count * share)
    for (const [step, times] of counts.entries()) {
      remaining -= times
      if (times > 0 && remaining <= 0) return (step + 1) / STEPS_PER_MS
    }
    return null
  }
  return {
    add(ms) {
      const step = Math.min(Math.floor(ms * STEPS_PER_MS), counts.length - 1)
      counts[step] = (counts[step] ?? 0) + 1
      count += 1
      maxMs = Math.max(ms, maxMs ?? ms)
    },
    figures: () => ({ count, p50Ms: percentileMs(0.5), p99Ms: percentileMs(0.99), maxMs }),
  }
}
