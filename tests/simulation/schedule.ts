import type { Random } from '../support/random.ts'

/** What something happens to: an instance until it crashes, a disk, the network. Of a dead one nothing happens. */
export interface Owner {
  isAlive: boolean
}

/** A world that never ends: what it owns happens whoever crashes. */
export const world: Owner = { isAlive: true }

/** Everything that is to happen, in simulated time; the order of what is ready at once is drawn. */
export interface Schedule {
  /** Milliseconds since the beginning. */
  readonly nowMs: () => number
  readonly steps: () => number
  /** @param name what it is called in the log; '' keeps it out of it */
  readonly after: (delayMs: number, owner: Owner, name: string, happen: () => void) => void
  /** The next thing happens, and all that follows from it without waiting; false: there is none. */
  readonly step: () => Promise<boolean>
}

interface Happening {
  readonly atMs: number
  readonly order: number
  readonly owner: Owner
  readonly name: string
  readonly happen: () => void
}

/** @param note keeps a line of the log */
export function createSchedule(random: Random, note: (line: string) => void): Schedule {
  let pending: Happening[] = []
  let nowMs = 0
  let steps = 0

  /** Takes out what comes first; what belonged to the dead is dropped on the way. */
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
      // Every promise that is settled by now has had its say before the next turn of the event loop.
      await new Promise((drained) => void setImmediate(drained))
      return true
    },
  }
}
