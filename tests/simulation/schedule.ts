import type { Random } from '../support/random.ts'

/** The owner of events: an instance until it crashes, a disk, the network. Events of a crashed owner are dropped. */
export interface Owner {
  isRunning: boolean
}

/** The owner that never crashes. */
export const permanentOwner: Owner = { isRunning: true }

/** The pending events in simulated time. The order of simultaneous events is random. */
export interface Schedule {
  /** Milliseconds since the beginning. */
  readonly nowMs: () => number
  readonly steps: () => number
  /** Adds an event. @param name the name of the event in the log; '' if it is not logged */
  readonly after: (delayMs: number, owner: Owner, name: string, run: () => void) => void
  /** Runs the next event and its promise callbacks; false if there is no event. */
  readonly step: () => Promise<boolean>
}

interface ScheduledEvent {
  readonly atMs: number
  readonly order: number
  readonly owner: Owner
  readonly name: string
  readonly run: () => void
}

/** @param note writes a line of the log */
export function createSchedule(random: Random, note: (line: string) => void): Schedule {
  let pending: ScheduledEvent[] = []
  let nowMs = 0
  let steps = 0

  /** Removes and returns the first event; also removes the events of crashed owners. */
  function takeNext(): ScheduledEvent | undefined {
    let first: ScheduledEvent | undefined
    let crashed = 0
    for (const event of pending) {
      if (!event.owner.isRunning) crashed += 1
      else if (!first || event.atMs < first.atMs || (event.atMs === first.atMs && event.order < first.order))
        first = event
    }
    if (first || crashed > 0) pending = pending.filter((event) => event !== first && event.owner.isRunning)
    return first
  }

  return {
    nowMs: () => nowMs,
    steps: () => steps,
    after(delayMs, owner, name, run) {
      pending.push({ atMs: nowMs + delayMs, order: random.below(0x1_0000_0000), owner, name, run })
    },
    async step() {
      const first = takeNext()
      if (!first) return false
      nowMs = first.atMs
      steps += 1
      if (first.name !== '') note(first.name)
      first.run()
      // The callbacks of all resolved promises run before the next turn of the event loop.
      await new Promise((resolve) => void setImmediate(resolve))
      return true
    },
  }
}
