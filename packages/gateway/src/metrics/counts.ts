import { limits } from '../limits.ts'

/** How often something has happened since the start, by at most three labels, all of them words of ours. */
export interface Tally {
  add(first: string, second?: string, third?: string): void
  entries(): readonly { readonly labels: readonly string[]; readonly count: number }[]
}

/** How long something took since the start, by a label that is a word of ours. */
export interface Durations {
  add(label: string, ms: number): void
  entries(): readonly DurationCounts[]
}

export interface DurationCounts {
  readonly label: string
  /** How many took up to each of `limits.durationBoundsMs`, and longer than the one before; last, all others. */
  readonly counts: readonly number[]
  readonly sumMs: number
}

/** What is counted as it happens, in plain numbers: every payment counts, and who wants to know asks seldom. */
export interface Counts {
  /** operation, class of the HTTP status, result code */
  readonly requests: Tally
  /** operation */
  readonly requestTimes: Durations
  /** why */
  readonly turnedAway: Tally
  /** why a connection was ended early */
  readonly endedConnections: Tally
  /** kind, and whether it threw */
  readonly jobRuns: Tally
  /** kind, and what came of it */
  readonly deliveries: Tally
  /** kind */
  readonly deliveryTimes: Durations
  /** Authorisations that were warned of. */
  warnings: number
}

export const createCounts = (): Counts => ({
  requests: createTally(),
  requestTimes: createDurations(),
  turnedAway: createTally(),
  endedConnections: createTally(),
  jobRuns: createTally(),
  deliveries: createTally(),
  deliveryTimes: createDurations(),
  warnings: 0,
})

/** What stands for requests that never became an operation: their paths are whatever somebody sends. */
export const NO_OPERATION = 'none'

export function httpClassOf(status: number): string {
  if (status < 400) return '2xx'
  return status < 500 ? '4xx' : '5xx'
}

export function createTally(): Tally {
  // Maps in maps: to join the labels into one text costs several times as much.
  const tree = new Map<string, Map<string, Map<string, number>>>()
  return {
    add(first, second = '', third = '') {
      let seconds = tree.get(first)
      if (!seconds) tree.set(first, (seconds = new Map()))
      let thirds = seconds.get(second)
      if (!thirds) seconds.set(second, (thirds = new Map()))
      thirds.set(third, (thirds.get(third) ?? 0) + 1)
    },
    entries: () =>
      [...tree].flatMap(([first, seconds]) =>
        [...seconds].flatMap(([second, thirds]) =>
          [...thirds].map(([third, count]) => ({ labels: [first, second, third], count })),
        ),
      ),
  }
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
