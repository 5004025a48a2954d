import type { Random } from '../support/random.ts'

/** The owner of events: an instance until it crashes, a disk, the network. Events of a dead owner are dropped. */
export interface Owner {
  isAlive: boolean
}

/** The owner that never crashes. */
export const world: Owner = { isAlive: true }

/** The events to come, in simulated time; the order of events of one time is drawn. */
export interface Schedule {
  /** Milliseconds since the beginning. */
  readonly nowMs: () => number
  readonly steps: () => number
  /** @param name its name in the log; '' for an event that is not logged */
  readonly after: (delayMs: number, owner: Owner, name: string, happen: () => void) => void
  /** Runs the next event and all that follows from it without waiting; false if there is none. */
  readonly step: () => Promise<boolean>
}

interface Happening {
  readonly atMs: number
  readonly order: number
  readonly owner: Owner
  readonly name: string
  readonly happen: () => void
}

/** @param note writes a line of the log */
export function createSchedule(random: Random, note: (line: string) => void): Schedule {
  let pending: Happening[] = []
  let nowMs = 0
  let steps = 0

  /** Takes out the first event; events of dead owners are dropped on the way. */
  function next(): Happening | undefined {
    let first: Happening | undefined
    let dead = 0
    for (const each of pending) {
      if (!each.owner.isAlive) dead += 1
      else if (!first || each.atMs < first.atMs || (each.atMs === first.atMs && each.order < first.order)) first = each
    }
    if (first || dead > 0) pending = pending.filter((each) => each !== first && each.owner.isAlive)
    return first
  }

  return {
    nowMs: () => nowMs,
    steps: () => steps,
    after(delayMs, owner, name, happen) {
      pending.push({ atMs: nowMs + delayMs, order: random.below(0x1_0000_0000), owner, name, happen })
    },
    async step() {
      const first = next()
      if (!first) return false
      nowMs = first.atMs
      steps += 1
      if (first.name !== '') note(first.name)
      first.happen()
      // The callbacks of all settled promises run before the next turn of the event loop.
      await new Promise((drained) => void setImmediate(drained))
      return true
    },
  }
}
