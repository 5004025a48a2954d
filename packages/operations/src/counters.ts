/** Counts events since the start of the process, by up to three labels, which are constants, never data of requests. */
export interface Counter {
  add(first: string, second?: string, third?: string): void
  entries(): readonly { readonly labels: readonly string[]; readonly count: number }[]
}

/** Counts durations since the start of the process, by a label, which is a constant. */
export interface Durations {
  add(label: string, ms: number): void
  entries(): readonly DurationCounts[]
}

export interface DurationCounts {
  readonly label: string
  /** The counts of the histogram's buckets, not cumulative; the last bucket is above all bounds. */
  readonly counts: readonly number[]
  readonly sumMs: number
}

/** The counts of webhook deliveries, and of warnings that authorisations will expire. */
export interface OperationCounts {
  /** Labels: kind, outcome. */
  readonly deliveries: Counter
  /** Label: kind. */
  readonly deliveryTimes: Durations
  /** Authorisations whose expiry was announced in the log. */
  expiryWarnings: number
}

/** Creates a counter whose counts are zero. */
export function createCounter(): Counter {
  // The maps are nested, because joining the labels into one key costs several times as much.
  const counts = new Map<string, Map<string, Map<string, number>>>()
  return {
    add(first, second = '', third = '') {
      let secondLevel = counts.get(first)
      if (!secondLevel) counts.set(first, (secondLevel = new Map()))
      let thirdLevel = secondLevel.get(second)
      if (!thirdLevel) secondLevel.set(second, (thirdLevel = new Map()))
      thirdLevel.set(third, (thirdLevel.get(third) ?? 0) + 1)
    },
    entries: () =>
      [...counts].flatMap(([first, secondLevel]) =>
        [...secondLevel].flatMap(([second, thirdLevel]) =>
          [...thirdLevel].map(([third, count]) => ({ labels: [first, second, third], count })),
        ),
      ),
  }
}
